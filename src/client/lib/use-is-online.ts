import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline'] as const;
  for (const event of events) window.addEventListener(event, listener);
  return () => {
    for (const event of events) window.removeEventListener(event, listener);
  };
}

/** Whether the browser has a network; once it is back, what failed meanwhile is asked for again. */
export function useIsOnline(): boolean {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isOnline) return;
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  }, [isOnline, queryClient]);
  return isOnline;
}
