import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import { createFileRoute } from '@tanstack/react-router';
import { DashboardPage } from '#client/features/dashboard/dashboard-page.tsx';
import { activityLimit, usageDays } from '#client/features/dashboard/scope.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

export const Route = createFileRoute('/_console/dashboard')({
  staticData: { nav: { label: 'Dashboard', icon: IconLayoutDashboard, order: 10 } },
  head: () => pageTitle('Dashboard'),
  loader: async ({ context: { trpc } }) => {
    const workspace = currentWorkspace(await trpc.workspaces.list.ensureData());
    const scope = workspace ? { workspaceId: workspace.id } : {};
    void trpc.dashboard.stats.prefetch(scope);
    void trpc.dashboard.apiUsage.prefetch({ ...scope, days: usageDays });
    void trpc.dashboard.recentActivity.prefetch({ ...scope, limit: activityLimit });
    void trpc.collections.list.prefetch(scope);
  },
  component: DashboardPage,
});
