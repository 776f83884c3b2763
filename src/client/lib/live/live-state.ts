import { useSyncExternalStore } from 'react';

/** Whether changes are heard of as they happen: by this tab's own stream, or by that of the tab which has it. */
let isOpen = true;
const listeners = new Set<() => void>();

export function setLiveState(open: boolean): void {
  if (open === isOpen) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

/** False: the stream is broken, and is opened again. */
export function useLiveState(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => isOpen,
  );
}
