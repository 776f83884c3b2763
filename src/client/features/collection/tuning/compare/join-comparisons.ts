import {
  type ComparedKind,
  comparedKinds,
  type RelevanceComparison,
  type RelevanceMeans,
} from '#shared/comparisons.ts';

/** Comparisons of some of the queries each, one at least, as if it were one of all. */
export function joinComparisons(parts: readonly RelevanceComparison[]): RelevanceComparison {
  const [first] = parts;
  if (!first) throw new Error('there is nothing to join');
  const sum = (of: (part: RelevanceComparison) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const queries = sum((part) => part.queries);
  const means = (side: 'before' | 'after'): RelevanceMeans => {
    const mean = (name: keyof RelevanceMeans) => sum((part) => part[side][name] * part.queries) / queries;
    return { ndcg: mean('ndcg'), hitRate: mean('hitRate'), mrr: mean('mrr') };
  };
  const counts = Object.fromEntries(comparedKinds.map((kind) => [kind, sum((part) => part.counts[kind])]));
  return {
    mode: first.mode,
    queries,
    before: means('before'),
    after: means('after'),
    among: first.among,
    counts: counts as Record<ComparedKind, number>,
    results: parts
      .flatMap(({ results }) => results)
      .sort(
        (a, b) =>
          Math.abs(b.change) - Math.abs(a.change) ||
          comparedKinds.indexOf(a.kind) - comparedKinds.indexOf(b.kind),
      ),
  };
}
