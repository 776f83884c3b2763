import type { SearchAnswer } from '#shared/search.ts';

/** Longer values are prose, not labels. */
const valueCharactersMax = 48;
const fieldsMax = 8;
/** Numbers repeat by chance; prices, say, are better filtered by range. */
const numberRepeatsMin = 5;
/** The most frequent values have to cover so much of the collection; below that nearly every document has its own. */
const coverageMin = 0.02;

/**
 * The fields whose values are worth ticking, judged by their most frequent ones over the whole collection; those that part
 * it into few large groups first.
 */
export function pickFacetFields({
  facet_counts,
  out_of,
}: Pick<SearchAnswer, 'facet_counts' | 'out_of'>): string[] {
  return facet_counts
    .map((facet) => ({ ...facet, covered: facet.counts.reduce((sum, { count }) => sum + count, 0) }))
    .filter(
      ({ counts, stats, covered }) =>
        (counts[0]?.count ?? 0) >= (stats ? numberRepeatsMin : 2) &&
        covered >= out_of * coverageMin &&
        counts.every(({ value }) => value.length <= valueCharactersMax),
    )
    .toSorted((a, b) => b.covered - a.covered)
    .map(({ field_name }) => field_name)
    .slice(0, fieldsMax);
}
