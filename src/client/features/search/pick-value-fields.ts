import type { FacetCounts } from '#shared/search.ts';

/** Longer values are prose, not labels. */
const valueCharactersMax = 48;
const fieldsMax = 8;
/** The most frequent values have to cover so much of the collection; below that nearly every document has its own. */
const coverageMin = 0.05;
/** A value means something from so many documents on: of the values looked at the one in the middle, of a small collection the first. */
const countMin = 2;
const smallMax = 50;
const lookedAt = 10;
/** What documents are called by; each has its own. */
const names = new Set(['id', 'title', 'name', 'url', 'slug', 'email', 'sku', 'isbn']);

/** The fields whose values are worth ticking, judged over the whole collection: those that part it into few large groups first. */
export function pickValueFields({ facets, outOf }: { facets: FacetCounts[]; outOf: number }): {
  kind: 'values';
  path: string;
  order: string[];
}[] {
  return facets
    .map(({ field_name: path, counts }) => ({ path, counts, top: counts.slice(0, lookedAt) }))
    .map((field) => ({ ...field, covered: field.top.reduce((sum, { count }) => sum + count, 0) }))
    .filter(
      ({ path, top, covered }) =>
        !names.has(path.toLowerCase()) &&
        covered >= outOf * coverageMin &&
        (top[outOf > smallMax ? top.length >> 1 : 0]?.count ?? 0) >= countMin &&
        top.every(({ value }) => value.length <= valueCharactersMax),
    )
    .toSorted((a, b) => b.covered - a.covered)
    .slice(0, fieldsMax)
    .map(({ path, counts }) => ({ kind: 'values', path, order: counts.map(({ value }) => value) }));
}
