import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { onReturn, type Reachability, reachability, subscribeToReachability } from './reachability.ts';

export function useReachability(): Reachability {
  return useSyncExternalStore(subscribeToReachability, reachability);
}

/** Once the server answers again, what failed meanwhile is asked for again. */
export function useRecovery(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onReturn(() => {
        void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      }),
    [queryClient],
  );
}
