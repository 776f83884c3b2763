import type { SearchQuery } from '#server/engine/types.ts';
import { slotName } from './field-names.ts';
import { notBuilt } from './not-built.ts';

type Clause = Record<
  string,
  { order: 'asc' | 'desc'; missing?: '_last'; mode?: 'min' | 'max'; unmapped_type?: string }
>;

/** Every order ends in the id. `hasScores`: without keys the best come first. @throws AppError UNPROCESSABLE: what is not built */
export function sortClauses({ sort }: Pick<SearchQuery, 'sort'>, hasScores: boolean): Clause[] {
  const keys = sort.map(({ field, descending, from }): Clause => {
    const order = descending ? 'desc' : 'asc';
    if (from !== undefined) throw notBuilt('An order by distance', 'sort_by');
    if (field === 'id') return { id: { order } };
    if (field === '_score') return { _score: { order } };
    if (field === '_text_match' || field === '_vector_distance')
      throw notBuilt(`An order by "${field}"`, 'sort_by');
    const mode = descending ? 'max' : 'min';
    return { [slotName('z', field)]: { order, mode, missing: '_last', unmapped_type: 'keyword' } };
  });
  const byScore: Clause[] = keys.length === 0 && hasScores ? [{ _score: { order: 'desc' } }] : [];
  return [...keys, ...byScore, { id: { order: 'asc' } }];
}
