import type { SearchQuery, SortKey } from '#server/engine/types.ts';
import { pointOf, slotName } from './field-names.ts';
import type { HitOrder } from './hit-order.ts';

/** How the cluster orders hits by some keys. */
export interface SortPlan {
  clauses: object[];
  order: HitOrder;
  /** What the cluster tells of a hit, with a value a key and the id behind them. */
  toSort: (own: unknown[]) => unknown[];
  /** The other way round, so that the cluster goes on behind it. */
  toOwn: (sort: unknown[]) => unknown[];
}

/** A key in the cluster's language: one clause, or two of which the first puts behind all others what has no value. */
interface KeyPlan {
  clauses: object[];
  isDescending: boolean;
  /** In place of the value of a document that has none. */
  absent: unknown;
}

/** Every order ends in the id. Without keys the best come first. `hasPoints`: whether documents have points in a field. */
export function sortPlan(
  { sort }: Pick<SearchQuery, 'sort'>,
  hasPoints: (field: string) => boolean = () => true,
): SortPlan {
  const keys = sort.length === 0 ? [scorePlan(true)] : sort.map((key) => keyPlan(key, hasPoints));
  return {
    clauses: [...keys.flatMap(({ clauses }) => clauses), { id: { order: 'asc' } }],
    order: { areDescending: keys.map(({ isDescending }) => isDescending) },
    toSort(own) {
      let at = 0;
      const values = keys.map(({ clauses, absent }) => {
        at += clauses.length;
        const value = own[at - 1] ?? null;
        const isAbsent = clauses.length > 1 ? own[at - 2] === 1 : value === absent;
        return isAbsent ? null : value;
      });
      return [...values, own[at]];
    },
    toOwn(sort) {
      const values = keys.flatMap(({ clauses, absent }, i) => {
        const value = sort[i] ?? null;
        const flag = clauses.length > 1 ? [Number(value === null)] : [];
        return [...flag, value ?? absent];
      });
      return [...values, sort.at(-1)];
    },
  };
}

function keyPlan({ field, descending, from }: SortKey, hasPoints: (field: string) => boolean): KeyPlan {
  const order = descending ? 'desc' : 'asc';
  if (from !== undefined) return distancePlan({ field, from, descending }, hasPoints(field));
  if (field === 'id') return { clauses: [{ id: { order } }], isDescending: descending, absent: null };
  if (field === '_score') return scorePlan(descending);
  if (field === '_text_match')
    return { ...scorePlan(descending), clauses: [flag('_score == 0'), { _score: { order } }], absent: 0 };
  const mode = descending ? 'max' : 'min';
  const clause = { [slotName('z', field)]: { order, mode, missing: '_last', unmapped_type: 'keyword' } };
  return { clauses: [clause], isDescending: descending, absent: null };
}

function scorePlan(isDescending: boolean): KeyPlan {
  return { clauses: [{ _score: { order: isDescending ? 'desc' : 'asc' } }], isDescending, absent: null };
}

/** Documents without a point count as infinitely far: where the farthest come first they would come before all. */
function distancePlan({ field, from, descending }: Required<SortKey>, hasPoints: boolean): KeyPlan {
  const slot = slotName('g', field);
  const by = { [slot]: [pointOf(from)], unit: 'm', ignore_unmapped: true };
  const distance = {
    _geo_distance: { ...by, order: descending ? 'desc' : 'asc', mode: descending ? 'max' : 'min' },
  };
  const isFlagged = descending && hasPoints;
  const clauses = isFlagged ? [flag('doc[params.field].size() == 0', { field: slot }), distance] : [distance];
  return { clauses, isDescending: descending, absent: 'Infinity' };
}

function flag(condition: string, params: object = {}): object {
  const script = { lang: 'painless', source: `${condition} ? 1 : 0`, params };
  return { _script: { type: 'number', order: 'asc', script } };
}
