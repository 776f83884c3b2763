import { Button } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { plugConnectedIcon, plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { Webhook } from '#shared/webhooks.ts';
import classes from '../alerts-panel.module.css';
import { WebhookRow } from './webhook-row.tsx';

/** What is sent is told by nobody. */
const deliveriesEveryMs = 15_000;

interface WebhooksPanelProps {
  workspaceId: number;
  onNew: () => void;
  onEdit: (webhook: Webhook) => void;
  onDelete: (webhook: Webhook) => void;
}

/** Where alerts are sent, and what became of it. */
export function WebhooksPanel({ workspaceId, onNew, onEdit, onDelete }: WebhooksPanelProps) {
  const { data, error, refetch } = trpc.webhooks.list.useQuery(
    { workspaceId },
    { refetchInterval: deliveriesEveryMs },
  );
  return (
    <Panel
      title="Webhooks"
      action={
        data &&
        data.length > 0 && (
          <Button size="compact-sm" variant="subtle" leftSection={<Icon shape={plusIcon} />} onClick={onNew}>
            New webhook
          </Button>
        )
      }
    >
      {error && <ErrorView error={error} title="The webhooks could not be loaded" onRetry={refetch} />}
      {!data && !error && <TableSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          icon={plugConnectedIcon}
          title="No webhooks"
          description="Have alerts sent to a chat room, a pager or a program of yours when they are raised and resolved."
        >
          <Button variant="default" leftSection={<Icon shape={plusIcon} />} onClick={onNew}>
            New webhook
          </Button>
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={classes['list']}>
          {data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onEdit={() => onEdit(webhook)}
              onDelete={() => onDelete(webhook)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}
