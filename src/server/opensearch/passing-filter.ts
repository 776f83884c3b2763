import { plainQuery } from '#server/indexes/search/query.ts';
import { filterQuery } from './filter-query.ts';
import { shapeOf } from './known-shape.ts';
import { wholeDocument } from './mapping.ts';
import type { AskedVersion } from './opened-index.ts';
import { allOf, everything, type Query, term } from './query.ts';

/** Documents that pass a filter; null: all. @throws FilterFaultError */
export async function passingFilter(asked: AskedVersion, filter: string | null): Promise<Query> {
  const whole = term('is', wholeDocument);
  if (filter === null) return whole;
  const shape = await shapeOf(asked);
  shape.check(plainQuery(filter, {}));
  const passing = filterQuery([filter], { fields: shape.fields, rules: asked.opened.analyzer.words });
  return allOf([whole, passing].filter((query) => query !== everything));
}
