import type { SearchSchemaInput } from '@tanstack/react-router';
import { choiceParam, textParam, wholeParam } from '#client/lib/search-params.ts';

/** What the list is narrowed to and which event is open: the address of the page. */
export interface EventsState {
  type: EventFilter;
  status: 'all' | 'success' | 'warning' | 'error';
  /** Absent: any. 0: none, which is the console's. */
  key?: number | undefined;
  collection?: number | undefined;
  results: 'any' | 'none';
  q: string;
  /** The event that is open. */
  event?: number | undefined;
}

export const eventFilters = ['all', 'search', 'insert', 'update', 'delete'] as const;
export type EventFilter = (typeof eventFilters)[number];
export const statusFilters = ['all', 'success', 'warning', 'error'] as const;
export type StatusFilter = (typeof statusFilters)[number];

export const eventsDefaults = {
  type: 'all',
  status: 'all',
  results: 'any',
  q: '',
} as const satisfies Partial<EventsState>;

const wordsCharactersMax = 200;

/** What cannot be read falls back. */
export function eventsState(search: Partial<EventsState> & SearchSchemaInput): EventsState {
  return {
    type: choiceParam(search.type, eventFilters, 'all'),
    status: choiceParam(search.status, statusFilters, 'all'),
    results: choiceParam(search.results, ['any', 'none'] as const, 'any'),
    q: textParam(search.q, wordsCharactersMax),
    key: idOf(search.key, 0),
    collection: idOf(search.collection, 1),
    event: idOf(search.event, 1),
  };
}

function idOf(value: unknown, min: number): number | undefined {
  const id = wholeParam(value, { min, max: Number.MAX_SAFE_INTEGER, fallback: -1 });
  return id === -1 ? undefined : id;
}

export function isNarrowed({ type, status, key, collection, results, q }: EventsState): boolean {
  const isChosen = key !== undefined || collection !== undefined;
  return type !== 'all' || status !== 'all' || isChosen || results !== 'any' || q.trim() !== '';
}

export type ChangeEvents = (change: Partial<EventsState>, options?: { replace?: boolean }) => void;
