import type { OverrideEdit } from '../tuning-draft.ts';

/** For the query that is tried, to begin with. */
export function newOverride(query: string): OverrideEdit {
  return { saved: null, override: { id: '', rule: { query: query.trim(), match: 'exact' }, active: true } };
}
