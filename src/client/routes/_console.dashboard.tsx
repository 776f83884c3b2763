import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { layoutDashboardIcon } from '#client/components/display/icon-shapes.gen.ts';
import { activityInput, dashboardScope, usageInput } from '#client/features/dashboard/dashboard-inputs.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

export const Route = createFileRoute('/_console/dashboard')({
  staticData: { nav: { label: 'Dashboard', icon: layoutDashboardIcon, order: 10 } },
  head: () => pageTitle('Dashboard'),
  loader: async ({ context: { trpc } }) => {
    const workspace = currentWorkspace(await trpc.workspaces.list.ensureData());
    const scope = dashboardScope(workspace);
    void trpc.dashboard.stats.prefetch(scope);
    void trpc.dashboard.apiUsage.prefetch(usageInput(scope));
    void trpc.dashboard.recentActivity.prefetch(activityInput(scope));
    void trpc.collections.list.prefetch(scope);
  },
  component: lazyRouteComponent(
    () => import('#client/features/dashboard/dashboard-page.tsx'),
    'DashboardPage',
  ),
});
