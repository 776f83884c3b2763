import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isUnauthorized } from './error-message.ts';

/**
 * The console's cache. Nothing goes stale by itself, nothing is polled or retried: every mutation names what it
 * invalidates (`lib/invalidate.ts`). `onUnauthorized` is called when the server no longer knows the session.
 */
export function createQueryClient(onUnauthorized: () => void = () => {}): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error)) onUnauthorized();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    // A wrong password is UNAUTHORIZED too; nobody is signed in then, so there is nothing to lose.
    mutationCache: new MutationCache({ onError }),
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
}
