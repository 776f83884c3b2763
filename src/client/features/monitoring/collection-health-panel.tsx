import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import table from '#client/components/display/table-panel.module.css';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatBytes, formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { CollectionHealth, HealthStatus } from '#shared/monitoring.ts';
import classes from './collection-health-panel.module.css';

const healthEveryMs = 15_000;
const order: HealthStatus[] = ['error', 'warning', 'healthy'];
const looks: Record<HealthStatus, { color: string; label: string }> = {
  healthy: { color: 'green', label: 'Healthy' },
  warning: { color: 'yellow', label: 'Warning' },
  error: { color: 'red', label: 'Error' },
};

/** Whether each collection's index is its record, how large it is and how much it is asked. What is amiss stands first. */
export function CollectionHealthPanel({ workspaceId }: { workspaceId: number }) {
  const { data, error, refetch } = trpc.collectionHealth.list.useQuery(
    { workspaceId },
    { refetchInterval: healthEveryMs },
  );
  const amiss = data?.filter(({ status }) => status !== 'healthy').length ?? 0;
  return (
    <Panel
      title="Collection health"
      detail={
        data &&
        data.length > 0 && (
          <Text size="sm" c="dimmed">
            {amiss === 0 ? `${formatNumber(data.length)} healthy` : `${formatNumber(amiss)} not healthy`}
          </Text>
        )
      }
    >
      {error && (
        <ErrorView error={error} title="The collections’ health could not be loaded" onRetry={refetch} />
      )}
      {!data && !error && <TableSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          icon={stack2Icon}
          title="No collections yet"
          description="Once the workspace has a collection, its health shows here."
        />
      )}
      {data && data.length > 0 && <HealthTable rows={data} />}
    </Panel>
  );
}

function HealthTable({ rows }: { rows: CollectionHealth[] }) {
  const sorted = rows.toSorted(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || b.queriesPerHour - a.queriesPerHour,
  );
  return (
    <div className={classes['scroller']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Collection</th>
            <th scope="col">Status</th>
            {['Documents', 'In the index', 'Backlog', 'Size', 'Queries/hr'].map((name) => (
              <th key={name} scope="col" data-right>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <HealthRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function HealthRow({ row }: { row: CollectionHealth }) {
  const { color, label } = looks[row.status];
  const none = <span title="Its index is not in memory">–</span>;
  return (
    <tr>
      <th scope="row" className={classes['name']}>
        <Anchor
          renderRoot={(props) => <Link {...props} to="/collections/$id" params={{ id: row.id }} />}
          dir="auto"
        >
          {row.name}
        </Anchor>
        {row.reason && (
          <Text size="xs" c="dimmed">
            {row.reason}
          </Text>
        )}
      </th>
      <td>
        <Badge color={color} miw="max-content">
          {label}
        </Badge>
      </td>
      <td data-right>{formatNumber(row.documents)}</td>
      <td data-right>{row.indexed === null ? none : formatNumber(row.indexed)}</td>
      <td data-right>{row.backlog === null ? none : formatNumber(row.backlog)}</td>
      <td data-right>{formatBytes(row.bytes)}</td>
      <td data-right>{formatNumber(row.queriesPerHour)}</td>
    </tr>
  );
}
