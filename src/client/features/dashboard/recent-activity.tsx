import { Skeleton, Stack, Text } from '@mantine/core';
import { Icon, type IconName } from '#client/components/display/icon.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatAgo, formatDateTime } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ActivityType } from '#shared/dashboard.ts';
import classes from './recent-activity.module.css';
import { activityLimit, type DashboardScope } from './scope.ts';

export function RecentActivity({ scope }: { scope: DashboardScope }) {
  return (
    <Panel title="Recent Activity">
      <Entries scope={scope} />
    </Panel>
  );
}

function Entries({ scope }: { scope: DashboardScope }) {
  const { data, error, refetch } = trpc.dashboard.recentActivity.useQuery({ ...scope, limit: activityLimit });
  if (error) return <ErrorView error={error} title="The activity could not be loaded" onRetry={refetch} />;
  if (!data) {
    return (
      <Stack gap="sm" aria-hidden="true">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} height="2.25rem" radius="md" />
        ))}
      </Stack>
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState
        icon="activity"
        title="No recent activity"
        description="What you create or change shows up here."
      />
    );
  }
  return (
    <ol className={classes['list']}>
      {data.map(({ id, type, description, createdAt }) => (
        <li key={id} className={classes['entry']}>
          <span className={classes['icon']}>
            <Icon name={iconOf(type)} size={16} />
          </span>
          <div className={classes['words']}>
            <Text size="sm">{description}</Text>
            <Text
              size="xs"
              c="dimmed"
              component="time"
              dateTime={createdAt}
              title={formatDateTime(createdAt)}
            >
              {formatAgo(createdAt)}
            </Text>
          </div>
        </li>
      ))}
    </ol>
  );
}

function iconOf(type: ActivityType): IconName {
  if (type.endsWith('_deleted')) return 'trash';
  if (type.startsWith('api_key')) return 'key';
  if (type.startsWith('collection')) return 'collection';
  if (type.startsWith('project')) return 'folder';
  return 'workspace';
}
