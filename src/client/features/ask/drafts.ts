import { useSyncExternalStore } from 'react';
import { readForUser, writeForUser } from '#client/lib/user-storage.ts';
import type { Thread } from './question.ts';

/** Where something is typed. */
export interface DraftPlace {
  userId: number;
  thread: Thread;
}

/** What is typed and not sent waits there: while the reader looks elsewhere, and while this tab loads the page anew. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();
const storedAs = ({ thread }: DraftPlace) => `askDraft ${thread}`;
const keyOf = (place: DraftPlace) => `${place.userId} ${place.thread}`;

export function setDraft(place: DraftPlace, text: string): void {
  drafts.set(keyOf(place), text);
  writeForUser(storedAs(place), place.userId, text === '' ? undefined : text, 'tab');
  for (const listener of listeners) listener();
}

/** Before what is typed there already. */
export function putIntoDraft(place: DraftPlace, text: string): void {
  const typed = draftIn(place);
  setDraft(place, typed === '' ? text : `${text}\n${typed}`);
}

export function useDraft(place: DraftPlace): string {
  return useSyncExternalStore(subscribe, () => draftIn(place));
}

function draftIn(place: DraftPlace): string {
  const typed = drafts.get(keyOf(place));
  if (typed !== undefined) return typed;
  const stored = readForUser(storedAs(place), place.userId, 'tab');
  return typeof stored === 'string' ? stored : '';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
