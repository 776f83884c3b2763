import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { heartRateMonitorIcon } from '#client/components/display/icon-shapes.gen.ts';
import {
  type MonitoringState,
  monitoringDefaults,
  monitoringState,
  recentAlerts,
} from '#client/features/monitoring/monitoring-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const MonitoringPage = lazyPage(
  () => import('#client/features/monitoring/monitoring-page.tsx'),
  'MonitoringPage',
);

export const Route = createFileRoute('/_console/monitoring')({
  staticData: { nav: { label: 'Monitoring', icon: heartRateMonitorIcon, order: 80, letter: 'M' } },
  validateSearch: monitoringState,
  search: { middlewares: [stripSearchParams(monitoringDefaults)] },
  loaderDeps: ({ search: { range } }) => ({ range }),
  loader: async ({ context: { trpc }, deps: { range } }) => {
    const workspace = currentWorkspace(await trpc.workspaces.list.ensureData());
    if (!workspace) return;
    void trpc.monitoring.get.prefetch({ workspaceId: workspace.id, range });
    void trpc.alerts.list.prefetch(recentAlerts(workspace.id));
    void trpc.alertRules.list.prefetch({ workspaceId: workspace.id });
    void trpc.collectionHealth.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Monitoring'),
  component: preloading(MonitoringPage, Monitoring),
});

function Monitoring() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (next: Partial<MonitoringState>) =>
    navigate({ search: (previous) => ({ ...previous, ...next }), resetScroll: false });
  return <MonitoringPage state={state} onChange={change} />;
}
