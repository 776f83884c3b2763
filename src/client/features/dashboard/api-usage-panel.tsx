import { Button, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chartBarIcon, tableIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { countsRequests, type DashboardScope, usageInput } from './dashboard-inputs.ts';
import { UsageChart } from './usage-chart.tsx';

const UsageTable = lazy(() => import('./usage-table.tsx').then((module) => ({ default: module.UsageTable })));

const chartSkeleton = <Skeleton height="15.5rem" radius="md" />;

/** Requests a day, as bars or as the table with the same rows. */
export function ApiUsagePanel({ scope }: { scope: DashboardScope }) {
  const [isTable, setIsTable] = useState(false);
  const { data, error, refetch } = trpc.dashboard.apiUsage.useQuery(usageInput(scope), countsRequests);
  const total = data?.reduce((sum, day) => sum + day.requests, 0);
  return (
    <Panel
      title="API Usage (Last 7 Days)"
      detail={
        total !== undefined && (
          <Text size="sm" c="dimmed">
            {formatNumber(total)} {total === 1 ? 'request' : 'requests'} in total
          </Text>
        )
      }
      action={
        data && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon shape={isTable ? chartBarIcon : tableIcon} />}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'View as chart' : 'View as table'}
          </Button>
        )
      }
    >
      {error && <ErrorView error={error} title="The usage could not be loaded" onRetry={refetch} />}
      {!data && !error && chartSkeleton}
      {data &&
        (isTable ? (
          <Suspense fallback={chartSkeleton}>
            <UsageTable days={data} />
          </Suspense>
        ) : (
          <UsageChart days={data} />
        ))}
    </Panel>
  );
}
