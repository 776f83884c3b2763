import { createFileRoute } from '@tanstack/react-router';
import { layoutDashboardIcon } from '#client/components/display/icon-shapes.gen.ts';
import { activityInput, dashboardScope, usageInput } from '#client/features/dashboard/dashboard-inputs.ts';
import { chosen } from '#client/lib/chosen.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';

export const Route = createFileRoute('/_console/dashboard')({
  staticData: { nav: { label: 'Dashboard', icon: layoutDashboardIcon, order: 10, letter: 'D' } },
  head: () => pageTitle('Dashboard'),
  loader: async ({ context: { trpc } }) => {
    const scope = dashboardScope(await chosen(trpc));
    void trpc.dashboard.stats.prefetch(scope);
    void trpc.dashboard.apiUsage.prefetch(usageInput(scope));
    void trpc.dashboard.recentActivity.prefetch(activityInput(scope));
    void trpc.collections.list.prefetch(scope);
  },
  component: lazyPage(() => import('#client/features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});
