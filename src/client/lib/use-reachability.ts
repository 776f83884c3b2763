import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { onReturn, type Reachability, reachability, subscribeToReachability } from './reachability.ts';

export function useReachability(): Reachability {
  return useSyncExternalStore(subscribeToReachability, reachability);
}

/** Once the server answers again, what failed meanwhile is asked for again, and what is shown and may have changed. */
export function useRecovery(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onReturn(() => {
        void queryClient.refetchQueries({
          predicate: (query) =>
            query.state.status === 'error' || (query.state.isInvalidated && query.isActive()),
        });
      }),
    [queryClient],
  );
}
