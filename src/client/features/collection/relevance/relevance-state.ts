import { listPageMax } from '#client/lib/page-of.ts';
import { textParam, wholeParam } from '#client/lib/search-params.ts';
import { limits } from '#shared/limits.ts';

/** What the tab shows, in the address. */
export interface RelevanceState {
  /** The query that is being judged. */
  judge: string;
  /** The page of the judged ones. */
  judged: number;
}

export const relevanceDefaults = { judge: '', judged: 1 } as const satisfies RelevanceState;

/** What cannot be read falls back. */
export function relevanceState(search: Partial<RelevanceState>): RelevanceState {
  return {
    judge: textParam(search.judge, limits.judgedQueryCharactersMax),
    judged: wholeParam(search.judged, { min: 1, max: listPageMax, fallback: 1 }),
  };
}
