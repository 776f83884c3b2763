import { SimpleGrid } from '@mantine/core';
import { StatCard } from '#client/components/display/stat-card.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { DashboardScope } from './scope.ts';

export function StatCards({ scope }: { scope: DashboardScope }) {
  const { data, error, refetch } = trpc.dashboard.stats.useQuery(scope);
  if (error) {
    return <ErrorView error={error} title="The statistics could not be loaded" onRetry={refetch} />;
  }
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', xs: 'md' }}>
      <StatCard label="Total Collections" icon="collection" value={data?.totalCollections} />
      <StatCard label="Total Documents" icon="document" value={data?.totalDocuments} />
      <StatCard label="API Requests (24h)" icon="activity" value={data?.apiRequestsLast24h} />
      <StatCard label="Active Projects" icon="folder" value={data?.activeProjects} />
    </SimpleGrid>
  );
}
