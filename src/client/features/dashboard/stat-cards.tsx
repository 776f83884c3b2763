import { SimpleGrid } from '@mantine/core';
import {
  activityIcon,
  fileTextIcon,
  folderIcon,
  stack2Icon,
} from '#client/components/display/icon-shapes.gen.ts';
import { StatCard } from '#client/components/display/stat-card.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { countsRequests, type DashboardScope } from './dashboard-inputs.ts';

export function StatCards({ scope }: { scope: DashboardScope }) {
  const { data, error, refetch } = trpc.dashboard.stats.useQuery(scope, countsRequests);
  if (error) {
    return <ErrorView error={error} title="The statistics could not be loaded" onRetry={refetch} />;
  }
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', xs: 'md' }}>
      <StatCard label="Total Collections" icon={stack2Icon} value={data?.totalCollections} />
      <StatCard label="Total Documents" icon={fileTextIcon} value={data?.totalDocuments} />
      <StatCard label="API Requests (24h)" icon={activityIcon} value={data?.apiRequestsLast24h} />
      <StatCard label="Active Projects" icon={folderIcon} value={data?.activeProjects} />
    </SimpleGrid>
  );
}
