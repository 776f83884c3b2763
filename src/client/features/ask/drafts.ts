import { useSyncExternalStore } from 'react';

/** What is typed and not sent, by the place that it is typed in: it waits there while the reader looks elsewhere. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

export function setDraft(place: string, text: string): void {
  if (text === '') drafts.delete(place);
  else drafts.set(place, text);
  for (const listener of listeners) listener();
}

/** Before what is typed there already. */
export function putIntoDraft(place: string, text: string): void {
  const typed = drafts.get(place);
  setDraft(place, typed === undefined ? text : `${text}\n${typed}`);
}

export function useDraft(place: string): string {
  return useSyncExternalStore(subscribe, () => drafts.get(place) ?? '');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
