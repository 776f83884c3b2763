import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { RequestList } from '#shared/requests.ts';
import { type AskEvents, type EventFeed, freshFeed, olderFeed, withOlder } from './event-feed.ts';
import type { EventsState } from './events-state.ts';

export interface LoadedFeed {
  query: UseQueryResult<EventFeed>;
  older: { load: () => void; isLoading: boolean; error: unknown };
  /** Loads all older ones, and answers all. @throws what the server answers, and when it is given up */
  loadAll: (signal: AbortSignal, onProgress: (events: number) => void) => Promise<EventFeed>;
}

/** The events of a workspace that the filters leave. What is told of new requests fetches these alone. */
export function useEventFeed(workspaceId: number, state: EventsState): LoadedFeed {
  const { client } = trpc.useUtils();
  const queryClient = useQueryClient();
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const input = inputOf(workspaceId, state);
  // As tRPC would have it, so that what is told of requests reaches it.
  const queryKey = [['requests', 'feed'], { input }];
  const askWith =
    (signal?: AbortSignal): AskEvents =>
    (page) =>
      client.requests.recent.query({ ...input, ...page }, { ...(signal && { signal }) });
  const read = () => queryClient.getQueryData<EventFeed>(queryKey);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = read();
      const fresh = await freshFeed(known, askWith(signal));
      return withOlder(fresh, { known, now: read() });
    },
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const loadOlder = async (signal?: AbortSignal) => {
    const known = read();
    if (!known?.hasOlder) return known;
    const add = await olderFeed(known, askWith(signal));
    return queryClient.setQueryData<EventFeed>(queryKey, (now) => now && add(now));
  };
  const load = () => {
    if (isLoading) return;
    setLoading(true);
    setError(null);
    loadOlder()
      .catch(setError)
      .finally(() => setLoading(false));
  };
  return {
    query,
    older: { load, isLoading, error },
    async loadAll(signal, onProgress) {
      let feed = read();
      while (feed?.hasOlder) {
        signal.throwIfAborted();
        onProgress(feed.events.length);
        feed = await loadOlder(signal);
      }
      return feed ?? { events: [], hasOlder: false, isBehind: false };
    },
  };
}

function inputOf(workspaceId: number, state: EventsState): Omit<RequestList, 'per_page' | 'before'> {
  const { type, status, key, collection, results, q } = state;
  const words = q.trim();
  return {
    workspaceId,
    ...(type !== 'all' && { type }),
    ...(status !== 'all' && { level: status }),
    ...(key === 0 ? { way: 'console' as const } : key !== undefined && { keyId: key }),
    ...(collection !== undefined && { collectionId: collection }),
    ...(results === 'none' && { nothingFound: true }),
    ...(words !== '' && { q: words }),
  };
}
