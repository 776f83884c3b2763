import { Skeleton, Stack, Text } from '@mantine/core';
import type { IconShape } from '#client/components/display/icon.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import {
  activityIcon,
  boxIcon,
  folderIcon,
  keyIcon,
  stack2Icon,
  trashIcon,
  usersIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatAgo, formatDateTime } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ActivityType } from '#shared/dashboard.ts';
import { activityInput, type DashboardScope } from './dashboard-inputs.ts';
import classes from './recent-activity.module.css';

export function RecentActivity({ scope }: { scope: DashboardScope }) {
  return (
    <Panel title="Recent Activity">
      <Entries scope={scope} />
    </Panel>
  );
}

function Entries({ scope }: { scope: DashboardScope }) {
  const { data, error, refetch } = trpc.dashboard.recentActivity.useQuery(activityInput(scope));
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
        icon={activityIcon}
        title="No recent activity"
        description="What you create or change shows up here."
      />
    );
  }
  return (
    <ol className={classes['list']}>
      {data.map(({ id, type, description, actor, createdAt }) => (
        <li key={id} className={classes['entry']}>
          <span className={classes['icon']}>
            <Icon shape={iconOf(type)} size={16} />
          </span>
          <div className={classes['words']}>
            <Text size="sm">{description}</Text>
            <Text size="xs" c="dimmed">
              {actor && (
                <>
                  <bdi>{actor}</bdi> ·{' '}
                </>
              )}
              <time dateTime={createdAt} title={formatDateTime(createdAt)}>
                {formatAgo(createdAt)}
              </time>
            </Text>
          </div>
        </li>
      ))}
    </ol>
  );
}

function iconOf(type: ActivityType): IconShape {
  if (type.endsWith('_deleted')) return trashIcon;
  if (type.startsWith('api_key')) return keyIcon;
  if (type.startsWith('collection')) return stack2Icon;
  if (type.startsWith('project')) return folderIcon;
  if (type.startsWith('user')) return usersIcon;
  return boxIcon;
}
