import type { SearchQuery } from '#server/engine/types.ts';
import { pointOf, slotName } from './field-names.ts';
import { notBuilt } from './not-built.ts';

type Clause = Record<string, object>;

/** Every order ends in the id. `hasScores`: without keys the best come first. @throws AppError UNPROCESSABLE: what is not built */
export function sortClauses({ sort }: Pick<SearchQuery, 'sort'>, hasScores: boolean): Clause[] {
  const keys = sort.map(({ field, descending, from }): Clause => {
    const order = descending ? 'desc' : 'asc';
    if (from !== undefined) return distanceClause(field, from, descending);
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

/** Documents without a point count as infinitely far: where the farthest come first they would come before all. */
function distanceClause(
  field: string,
  from: NonNullable<SearchQuery['sort'][number]['from']>,
  isFarthest: boolean,
): Clause {
  if (isFarthest) throw notBuilt('An order with the farthest first', 'sort_by');
  const by = { [slotName('g', field)]: [pointOf(from)], order: 'asc' as const, mode: 'min' as const };
  return { _geo_distance: { ...by, unit: 'm', ignore_unmapped: true } };
}
