import type { Steps } from '../../steps.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { FilterClause } from '../filter/filter-ast.ts';
import { metersOf } from './distances-from.ts';
import { eachDistance } from './each-distance.ts';

type Within = Extract<FilterClause, { kind: 'within' }>;

/** Parts of a unit that a radius is told in: a kilometer by its meters. */
const parts = 1_000;

/**
 * The same clause with a radius in which a document just lies, or with `isOutside` just does not. Null: there is none, as with polygons and
 * documents without points.
 */
export function* fittedCircle(
  { area, ...clause }: Within,
  columns: ColumnStore,
  { ordinal, isOutside }: { ordinal: number; isOutside: boolean },
): Steps<Within | null> {
  const field = columns.field(clause.path);
  if (area.kind !== 'circle' || field === undefined) return null;
  const distances: number[] = [];
  const to = { ordinals: Int32Array.of(ordinal), from: area.center, isFarthest: false };
  yield* eachDistance(field, to, (_, meters) => distances.push(meters));
  const [nearest] = distances;
  if (nearest === undefined) return null;
  const size = (nearest / metersOf[area.unit]) * parts;
  const radius = (isOutside ? Math.ceil(size) - 1 : Math.floor(size) + 1) / parts;
  return radius < 0 ? null : { ...clause, area: { ...area, radius } };
}
