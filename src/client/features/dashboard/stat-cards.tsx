import { SimpleGrid } from '@mantine/core';
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
import { StatCard } from '#client/components/display/stat-card.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { DashboardScope } from './dashboard-inputs.ts';

export function StatCards({ scope }: { scope: DashboardScope }) {
  const { data, error, refetch } = trpc.dashboard.stats.useQuery(scope);
  if (error) {
    return <ErrorView error={error} title="The statistics could not be loaded" onRetry={refetch} />;
  }
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', xs: 'md' }}>
      <StatCard label="Total Collections" icon={IconStack2} value={data?.totalCollections} />
      <StatCard label="Total Documents" icon={IconFileText} value={data?.totalDocuments} />
      <StatCard label="API Requests (24h)" icon={IconActivity} value={data?.apiRequestsLast24h} />
      <StatCard label="Active Projects" icon={IconFolder} value={data?.activeProjects} />
    </SimpleGrid>
  );
}
