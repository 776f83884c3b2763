import type { SearchSchemaInput } from '@tanstack/react-router';
import { textParam, wholeParam } from '#client/lib/search-params.ts';

/** The playground's address is its state: the same link shows the same endpoint, ready to be sent. */
export interface PlaygroundState {
  /** Its operation's id; empty: the first one. */
  endpoint: string;
  collection?: number | undefined;
  /** The API key's id, never the key. */
  key?: number | undefined;
}

export type ChangePlayground = (change: Partial<PlaygroundState>) => void;

export const playgroundDefaults = { endpoint: '' } as const satisfies Partial<PlaygroundState>;

const endpointCharactersMax = 64;

export function playgroundState(search: Partial<PlaygroundState> & SearchSchemaInput): PlaygroundState {
  return {
    endpoint: textParam(search.endpoint, endpointCharactersMax),
    collection: idOrNone(search.collection),
    key: idOrNone(search.key),
  };
}

function idOrNone(value: unknown): number | undefined {
  return wholeParam(value, { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 0 }) || undefined;
}
