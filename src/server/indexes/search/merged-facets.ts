import type { EngineFacet } from '#server/engine/types.ts';

type Counts = EngineFacet['counts'];
type Stats = EngineFacet['stats'];

/** The facets of several collections as of one: counts added by value, the largest first, then by value. */
export function mergedFacets(all: EngineFacet[][], valuesMax: number): EngineFacet[] {
  const [first = []] = all;
  return first.map(({ field }, i) => {
    const own = all.flatMap((facets) => facets[i] ?? []);
    const counts = sumOfCounts(own.map((facet) => facet.counts)).slice(0, valuesMax);
    return { field, counts, stats: own.map(({ stats }) => stats).reduce(sumOfStats, null) };
  });
}

function sumOfCounts(all: Counts[]): Counts {
  const byValue = new Map<string, Counts[number]>();
  for (const each of all.flat()) {
    const count = (byValue.get(each.value)?.count ?? 0) + each.count;
    byValue.set(each.value, { ...each, count });
  }
  return [...byValue.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sumOfStats(a: Stats, b: Stats): Stats {
  if (a === null || b === null) return a ?? b;
  const count = a.count + b.count;
  const sum = a.sum + b.sum;
  return { count, sum, avg: sum / count, min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
