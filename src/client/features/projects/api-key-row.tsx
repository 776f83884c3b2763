import { ActionIcon, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { eyeIcon, eyeOffIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import cells from '#client/components/display/table-panel.module.css';
import { StatusBadge } from '#client/components/feedback/status-badge.tsx';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { Tip } from '#client/components/later/tip.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatDate, formatDateTime } from '#client/lib/format.ts';
import { hasExpired } from '#client/lib/has-expired.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useRevealKey } from '#client/lib/use-reveal-key.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import classes from './api-key-row.module.css';

export function ApiKeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: () => void }) {
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
        <SecretCell apiKey={apiKey} />
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
      <td>{formatDateTime(apiKey.lastUsed)}</td>
      <td className={cells['date']}>{formatDate(apiKey.expiresAt)}</td>
      <May atLeast="admin">
        <td data-right>
          <Tip label="Delete API key">
            <ActionIcon aria-label={`Delete ${apiKey.name}`} onClick={onDelete}>
              <Icon shape={trashIcon} />
            </ActionIcon>
          </Tip>
        </td>
      </May>
    </tr>
  );
}

/** Masked until the reader asks; the whole key is fetched then, and lives in this row only, until it is hidden. */
function SecretCell({ apiKey }: { apiKey: ApiKey }) {
  const [revealed, setRevealed] = useState<string | null>(null);
  const { reveal, isPending } = useRevealKey();
  const label = revealed === null ? 'Reveal API key' : 'Hide API key';
  const may = useMay();
  const toggle = async () => setRevealed(revealed === null ? await reveal(apiKey.id) : null);
  // The server shows a key that writes to nobody who may not write.
  if (apiKey.permissions.includes('write') && !may('editor'))
    return <code className={classes['secret']}>{apiKey.key}</code>;
  return (
    <div className={classes['key']}>
      <code className={classes['secret']} data-revealed={revealed !== null || undefined}>
        <bdi>{revealed ?? apiKey.key}</bdi>
      </code>
      <Tip label={label}>
        <ActionIcon
          aria-label={`${label} ${apiKey.name}`}
          aria-pressed={revealed !== null}
          loading={isPending}
          onClick={toggle}
        >
          <Icon shape={revealed === null ? eyeIcon : eyeOffIcon} />
        </ActionIcon>
      </Tip>
      <CopyKey apiKey={apiKey} revealed={revealed} />
    </div>
  );
}

function CopyKey({ apiKey, revealed }: { apiKey: ApiKey; revealed: string | null }) {
  const { reveal } = useRevealKey();
  return (
    <CopyButton
      value={revealed ?? (() => reveal(apiKey.id))}
      label={`Copy API key ${apiKey.name}`}
      description="API key copied to clipboard"
    />
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
