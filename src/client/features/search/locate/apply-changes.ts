import { isTunable, type Tuned } from '#client/lib/tuned-search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';
import type { SearchState } from '../search-state.ts';

/** Changes of parameters as a change of the page; null: the page cannot say one of them. */
export function applyChanges(
  state: SearchState,
  changes: ExplainAnswer['changes'],
): Partial<SearchState> | null {
  if (changes.length === 0) return null;
  const change: Partial<SearchState> = { page: 1 };
  let tuned: Tuned = state.tuned;
  for (const { parameter, value } of changes) {
    if (parameter === 'filter_by' && typeof value === 'string') {
      // What was ticked is part of it.
      Object.assign(change, { filter: value, facets: {}, ranges: {} });
    } else if (parameter === 'alpha' && typeof value === 'number') change.alpha = value;
    else if (parameter === 'page' && typeof value === 'number') change.page = value;
    else if (parameter === 'query' && typeof value === 'string') change.q = value === '*' ? '' : value;
    else if (isTunable(parameter, value)) tuned = { ...tuned, [parameter]: value };
    else return null;
  }
  return tuned === state.tuned ? change : { ...change, tuned };
}
