import { ActionIcon, Group, Switch, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { refreshIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import cells from '#client/components/display/table-panel.module.css';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatDate, formatDateTime, formatNumber } from '#client/lib/format.ts';
import { hasExpired } from '#client/lib/has-expired.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import classes from './api-key-row.module.css';
import { FormerValue } from './former-value.tsx';
import { KeySecret } from './key-secret.tsx';

interface ApiKeyRowProps {
  apiKey: ApiKey;
  isRemoving: boolean;
  onRotate: () => void;
  onDelete: () => void;
}

export function ApiKeyRow({ apiKey, isRemoving, onRotate, onDelete }: ApiKeyRowProps) {
  const toggle = useActiveToggle(apiKey);
  const may = useMay();
  return (
    <tr>
      <td className={cells['name']}>
        <Text size="sm" fw={600} dir="auto">
          {apiKey.name}
        </Text>
        <Text size="xs" c="dimmed">
          {apiKey.permissions.join(' and ')}
          {apiKey.collections && ` · only ${apiKey.collections.join(', ') || 'collections that are gone'}`}
        </Text>
      </td>
      <td>
        <KeySecret apiKey={apiKey} />
        <FormerValue apiKey={apiKey} />
      </td>
      <td>
        <div className={classes['status']}>
          <Switch
            size="xs"
            aria-label={`${apiKey.name} is active`}
            checked={apiKey.isActive}
            disabled={toggle.isPending || !may('admin')}
            onChange={(event) => toggle.mutate({ id: apiKey.id, isActive: event.currentTarget.checked })}
          />
          {hasExpired(apiKey) && apiKey.isActive ? (
            <StatusBadge isActive hasExpired />
          ) : (
            <Text size="sm" component="span">
              {apiKey.isActive ? 'Active' : 'Inactive'}
            </Text>
          )}
        </div>
      </td>
      <td data-right>{formatNumber(apiKey.requestsLast24h)}</td>
      <td>{formatDateTime(apiKey.lastUsed)}</td>
      <td className={cells['date']}>{formatDate(apiKey.expiresAt)}</td>
      <May atLeast="admin">
        <td>
          <Group gap={2} justify="flex-end" wrap="nowrap">
            <Tip label="Rotate API key">
              <ActionIcon aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
                <Icon shape={refreshIcon} />
              </ActionIcon>
            </Tip>
            <Tip label="Delete API key">
              <ActionIcon aria-label={`Delete ${apiKey.name}`} loading={isRemoving} onClick={onDelete}>
                <Icon shape={trashIcon} />
              </ActionIcon>
            </Tip>
          </Group>
        </td>
      </May>
    </tr>
  );
}

/** Shown at once, taken back if the server refuses. */
function useActiveToggle(apiKey: ApiKey) {
  const { list } = trpc.useUtils().apiKeys;
  const scope = { projectId: apiKey.projectId };
  const show = (isActive: boolean) =>
    list.setData(scope, (rows) => rows?.map((row) => (row.id === apiKey.id ? { ...row, isActive } : row)));
  return trpc.apiKeys.update.useMutation({
    meta: { changes: 'apiKeys' },
    onMutate: async ({ isActive }) => {
      // A list that is on its way still holds the old state.
      await list.cancel(scope);
      show(isActive ?? apiKey.isActive);
    },
    onError: (error) => {
      show(apiKey.isActive);
      toast({ title: 'Failed to update API key', description: errorMessage(error), kind: 'error' });
      return list.invalidate(scope);
    },
  });
}
