import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { May, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { MonitoringRange } from '#shared/monitoring.ts';
import { AlertsSection } from './alerts-section.tsx';
import { CollectionHealthPanel } from './collection-health-panel.tsx';
import { ConnectionsPanel } from './connections-panel.tsx';
import { EnginePanel } from './engine-panel.tsx';
import { FigureCards } from './figure-cards.tsx';
import classes from './monitoring-page.module.css';
import { type MonitoringState, ranges } from './monitoring-state.ts';
import { RequestsPanel } from './requests-panel.tsx';
import { ResourcesPanel } from './resources-panel.tsx';
import { ResponseTimePanel } from './response-time-panel.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

interface MonitoringPageProps {
  state: MonitoringState;
  onChange: (next: Partial<MonitoringState>) => void;
}

/** What time alone changes cannot be told by whoever changes it, so it is asked for again while the page is in view. */
const figuresEveryMs = 15_000;
/** What was asked for just before is not asked for again when the page opens. */
const figuresFreshMs = 5_000;

/** How a workspace's API does, and the machine that it runs on. */
export function MonitoringPage({ state: { range }, onChange }: MonitoringPageProps) {
  const { workspace } = useWorkspace();
  return (
    <>
      <PageHeader
        title="Monitoring"
        description={
          workspace ? `How the API of ${workspace.name} does, and the machine it runs on` : undefined
        }
        actions={
          workspace && (
            <SegmentedControl
              aria-label="Time range"
              data={ranges.map((value) => ({ value, label: value }))}
              value={range}
              onChange={(value) => onChange({ range: value as MonitoringRange })}
            />
          )
        }
      />
      {workspace ? <Figures workspaceId={workspace.id} range={range} /> : <NoWorkspace />}
    </>
  );
}

function Figures({ workspaceId, range }: { workspaceId: number; range: MonitoringRange }) {
  const { data, error, refetch, isPlaceholderData } = trpc.monitoring.get.useQuery(
    { workspaceId, range },
    { placeholderData: keepPreviousData, staleTime: figuresFreshMs, refetchInterval: figuresEveryMs },
  );
  return (
    <div className={classes['parts']}>
      {error && <ErrorView error={error} title="The figures could not be loaded" onRetry={refetch} />}
      {!data && !error && <FiguresSkeleton />}
      {data && (
        <div className={classes['parts']} aria-busy={isPlaceholderData} data-waiting={isPlaceholderData}>
          <FigureCards data={data} />
          <div className={classes['charts']}>
            <RequestsPanel data={data} />
            <ResponseTimePanel data={data} />
          </div>
          <div className={classes['machine']}>
            <ResourcesPanel data={data} />
            <ConnectionsPanel data={data} />
          </div>
        </div>
      )}
      <AlertsSection workspaceId={workspaceId} />
      <May atLeast="admin">
        <WebhooksSection workspaceId={workspaceId} />
      </May>
      <CollectionHealthPanel workspaceId={workspaceId} />
      <EnginePanel />
    </div>
  );
}

function FiguresSkeleton() {
  return (
    <div className={classes['parts']} aria-hidden="true">
      <Skeleton height="8.5rem" radius="lg" />
      <div className={classes['charts']}>
        <Skeleton height="19rem" radius="lg" />
        <Skeleton height="19rem" radius="lg" />
      </div>
      <Skeleton height="19rem" radius="lg" />
    </div>
  );
}
