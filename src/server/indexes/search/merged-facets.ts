import type { Steps } from '#server/engine/steps.ts';
import type { EngineFacet } from '#server/engine/types.ts';

type Counts = EngineFacet['counts'];
type Stats = EngineFacet['stats'];

/** Counts that are added, or put in order, at once. */
const countsAtOnce = 2_048;

/** The facets of several collections as of one: counts added by value, the largest first, then by value. */
export function* mergedFacets(all: EngineFacet[][], valuesMax: number): Steps<EngineFacet[]> {
  const [first = []] = all;
  const merged: EngineFacet[] = [];
  for (const [i, { field }] of first.entries()) {
    const own = all.flatMap((facets) => facets[i] ?? []);
    const sums = yield* sumOfCounts(own.map((facet) => facet.counts));
    const counts = yield* largest([...sums.values()], valuesMax);
    merged.push({ field, counts, stats: own.map(({ stats }) => stats).reduce(sumOfStats, null) });
    yield;
  }
  return merged;
}

function* sumOfCounts(all: Counts[]): Steps<Map<string, Counts[number]>> {
  const byValue = new Map<string, Counts[number]>();
  let added = 0;
  for (const counts of all) {
    for (const each of counts) {
      const count = (byValue.get(each.value)?.count ?? 0) + each.count;
      byValue.set(each.value, { ...each, count });
      added += 1;
      if (added % countsAtOnce === 0) yield;
    }
  }
  return byValue;
}

/** The first ones in their order: of each part those that may be among them. */
function* largest(counts: Counts, valuesMax: number): Steps<Counts> {
  let first: Counts = [];
  for (let from = 0; from < counts.length; from += countsAtOnce) {
    const part = [...first, ...counts.slice(from, from + countsAtOnce)];
    first = part.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, valuesMax);
    yield;
  }
  return first;
}

function sumOfStats(a: Stats, b: Stats): Stats {
  if (a === null || b === null) return a ?? b;
  const count = a.count + b.count;
  const sum = a.sum + b.sum;
  return { count, sum, avg: sum / count, min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
