import { Alert, Badge, Button, Skeleton, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { playerPauseIcon, playerPlayIcon } from '#client/components/display/icon-shapes.gen.ts';
import { PageHeader } from '#client/components/display/page-header.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { useLiveState } from '#client/lib/live/live-state.ts';
import { useReachability } from '#client/lib/use-reachability.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { EventCards } from './event-cards.tsx';
import { heldFeed } from './event-feed.ts';
import { EventListSkeleton } from './event-list-skeleton.tsx';
import { type ChangeEvents, type EventsState, isNarrowed } from './events-state.ts';
import { NoMatchingEvents } from './no-matching-events.tsx';
import { useEventFeed } from './use-event-feed.ts';
import { useOverview } from './use-overview.ts';

// The page is painted before its rows are there to show, and what floats over it is fetched after it.
const EventFilters = lazyPart(async () => ({ default: (await import('./event-filters.tsx')).EventFilters }));
const ExportButton = lazyPart(async () => ({ default: (await import('./export-button.tsx')).ExportButton }));
const EventList = lazyPart(async () => ({ default: (await import('./event-list.tsx')).EventList }));
const NoEvents = lazyPart(async () => ({ default: (await import('./no-events.tsx')).NoEvents }));
const EventPanel = lazyPart(async () => ({ default: (await import('./event-panel.tsx')).EventPanel }));

interface EventsPageProps {
  state: EventsState;
  onChange: ChangeEvents;
}

/** 'Live Events': the requests to the workspace as they happen. */
export function EventsPage(props: EventsPageProps) {
  const { workspace, isLoading } = useWorkspace();
  if (workspace) return <Events key={workspace.id} {...props} workspaceId={workspace.id} />;
  return (
    <>
      <PageHeader title="Live Events" />
      {isLoading ? <EventListSkeleton /> : <NoWorkspace />}
    </>
  );
}

function Events({ state, onChange, workspaceId }: EventsPageProps & { workspaceId: number }) {
  const feed = useEventFeed(workspaceId, state);
  const { data, error, isPending, refetch } = feed.query;
  const [pausedAt, setPausedAt] = useState<number | null>(null);
  const events = data?.events ?? [];
  const { shown, missed } = heldFeed(events, pausedAt);
  const overview = useOverview(workspaceId, events[0]);
  const isPaused = pausedAt !== null;
  return (
    <>
      <PageHeader
        title="Live Events"
        description="The requests to this workspace as they happen, of the API and of the console"
        actions={
          <>
            <LiveBadge isPaused={isPaused} missed={missed} isFailed={error !== null} />
            <Button
              variant="default"
              leftSection={<Icon shape={isPaused ? playerPlayIcon : playerPauseIcon} />}
              onClick={() => setPausedAt(isPaused ? null : (events[0]?.id ?? 0))}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <Suspense
              fallback={
                <Button variant="default" disabled>
                  Export
                </Button>
              }
            >
              <ExportButton feed={feed} pausedAt={pausedAt} isDisabled={shown.length === 0} />
            </Suspense>
          </>
        }
      />
      <Stack>
        <EventCards overview={overview} state={state} onChange={onChange} />
        <Suspense fallback={<Skeleton height={36} />}>
          <EventFilters overview={overview} state={state} onChange={onChange} />
        </Suspense>
        {data?.isBehind && (
          <Alert color="yellow" title="The newest events are not shown yet">
            The server cannot store them just now. They are kept in its memory and show here once it can.
          </Alert>
        )}
        {error && !data && (
          <ErrorView error={error} title="Failed to fetch events" onRetry={() => refetch()} />
        )}
        {error && data && (
          <ErrorView error={error} title="New events could not be fetched" onRetry={() => refetch()} />
        )}
        {isPending && <EventListSkeleton />}
        {data && shown.length === 0 && isNarrowed(state) && (
          <NoMatchingEvents
            onClear={() => onChange({ type: 'all', status: 'all', results: 'any', q: '', ...anyOf })}
          />
        )}
        <Suspense fallback={<EventListSkeleton />}>
          {data && shown.length === 0 && !isNarrowed(state) && <NoEvents workspaceId={workspaceId} />}
          {data && shown.length > 0 && (
            <EventList
              events={shown}
              hasOlder={data.hasOlder}
              older={feed.older}
              isOutdated={feed.query.isPlaceholderData}
            />
          )}
        </Suspense>
      </Stack>
      <Suspense>
        <EventPanel
          workspaceId={workspaceId}
          event={state.event ?? null}
          onClose={() => onChange({ event: undefined }, { replace: true })}
        />
      </Suspense>
    </>
  );
}

const anyOf = { key: undefined, collection: undefined };

/** Whether the list moves, in words as well as in colour; what was missed is said once it rests. */
function LiveBadge({
  isPaused,
  missed,
  isFailed,
}: {
  isPaused: boolean;
  missed: number;
  /** What has come since could not be fetched. */
  isFailed: boolean;
}) {
  const isOpen = useLiveState();
  const isReachable = useReachability() === 'reachable';
  const isLive = isOpen && isReachable && !isFailed;
  if (isPaused)
    return (
      <Badge size="lg" color="yellow" role="status">
        Paused{missed > 0 ? ` · ${formatNumber(missed)} new` : ''}
      </Badge>
    );
  return (
    <Badge size="lg" color={isLive ? 'green' : 'gray'} role="status">
      {isLive ? 'Live' : isFailed && isReachable ? 'Interrupted' : 'Reconnecting…'}
    </Badge>
  );
}
