import { Badge, Button, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { bellIcon, plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { raisedWords } from '#client/lib/alert-words.ts';
import { formatAgo, formatDateTime } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { activeAlerts } from '#client/lib/use-active-alerts.ts';
import { useMay } from '#client/lib/workspace-provider.tsx';
import type { Alert } from '#shared/alerts.ts';
import { activeFirst } from './active-first.ts';
import { AlertTypeSign } from './alert-type.tsx';
import classes from './alerts-panel.module.css';
import { recentAlerts } from './monitoring-state.ts';

/** What the workspace's rules have raised: what is active, then what is resolved, newest first. */
export function AlertsPanel({ workspaceId, onNewRule }: { workspaceId: number; onNewRule: () => void }) {
  const recent = trpc.alerts.list.useQuery(recentAlerts(workspaceId));
  const current = trpc.alerts.list.useQuery(activeAlerts(workspaceId));
  const may = useMay();
  const error = recent.error ?? current.error;
  const data = recent.data && current.data && activeFirst(current.data, recent.data);
  const active = current.data?.length ?? 0;
  const refetch = () => {
    void recent.refetch();
    void current.refetch();
  };
  return (
    <Panel
      title="Recent alerts"
      detail={
        data &&
        data.length > 0 && (
          <Text size="sm" c="dimmed">
            {active === 0 ? 'None active' : `${active} active`}
          </Text>
        )
      }
    >
      {error && <ErrorView error={error} title="The alerts could not be loaded" onRetry={refetch} />}
      {!data && !error && <TableSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          icon={bellIcon}
          title="No alerts"
          description="When a rule’s condition is met, it shows here and in the notifications."
        >
          {may('editor') && (
            <Button variant="default" leftSection={<Icon shape={plusIcon} />} onClick={onNewRule}>
              New rule
            </Button>
          )}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={classes['list']}>
          {data.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { name, type, status, raisedAt, resolvedAt } = alert;
  return (
    <li className={classes['row']}>
      <AlertTypeSign type={type} />
      <div className={classes['words']}>
        <Text size="sm" fw={600} dir="auto">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {raisedWords(alert)}
        </Text>
      </div>
      <div className={classes['end']}>
        <Badge color={status === 'active' ? 'red' : 'gray'} miw="max-content">
          {status === 'active' ? 'Active' : 'Resolved'}
        </Badge>
        <Text size="xs" c="dimmed" title={titleOf(alert)}>
          {formatAgo(resolvedAt ?? raisedAt)}
        </Text>
      </div>
    </li>
  );
}

function titleOf({ raisedAt, resolvedAt }: Alert): string {
  const raised = `Raised ${formatDateTime(raisedAt)}`;
  return resolvedAt === null ? raised : `${raised}, resolved ${formatDateTime(resolvedAt)}`;
}
