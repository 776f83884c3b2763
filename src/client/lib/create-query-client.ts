import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { isUnauthorized, isUnreachable } from './error-message.ts';
import { invalidate } from './invalidate.ts';
import { noteAnswer, noteFailure } from './reachability.ts';
import type { ChangeMeta } from './trpc.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ChangeMeta;
    queryMeta: ShownMeta;
  }
}

/** What a query is about whose key is none of tRPC's. */
interface ShownMeta extends Record<string, unknown> {
  /** Ids; absent: any. */
  collections?: number[];
}

/**
 * The console's cache. Nothing goes stale by itself, nothing is polled or retried: what a mutation says it changes is
 * invalidated here. `onUnauthorized` is called when the server no longer knows the session.
 */
export function createQueryClient(onUnauthorized: () => void = () => {}): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error)) onUnauthorized();
    noteFailure(error);
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isUnreachable(error)) keepLoaded(query);
        onError(error);
      },
      onSuccess: noteAnswer,
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _onMutateResult, { options }) => {
        // A wrong password is UNAUTHORIZED too, and says nothing of the session whose page waits for the right one.
        if (isSignIn(options.mutationKey)) noteFailure(error);
        else onError(error);
      },
      // After the mutation's own `onSuccess`: a dialog need not stay open until the lists are there.
      onSettled: async (_data, error, _variables, _onMutateResult, { meta }) => {
        if (error === null) noteAnswer();
        if (error === null && meta?.changes) await invalidate(queryClient, meta.changes);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
        retry: false,
        // Offline, a request fails at once and says so, instead of waiting without a word.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return queryClient;
}

/** What is loaded can be read on while the server is away, and is asked for anew on its return. */
function keepLoaded(query: Query<unknown, unknown>): void {
  if (query.state.data !== undefined) query.setState({ status: 'success', error: null, isInvalidated: true });
}

/** tRPC's key of a mutation is its path. */
function isSignIn(mutationKey: readonly unknown[] | undefined): boolean {
  const [path] = mutationKey ?? [];
  return Array.isArray(path) && path[0] === 'auth' && ['login', 'secondStep', 'register'].includes(path[1]);
}
