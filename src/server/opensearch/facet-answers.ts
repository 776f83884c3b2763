import { facetMatcher } from '#server/engine/search-index.ts';
import type { EngineFacet, FacetRequest, FieldView, SearchQuery } from '#server/engine/types.ts';
import { slotName } from './field-names.ts';
import type { SearchReply } from './multi-search.ts';
import { notBuilt } from './not-built.ts';
import { anyOf, type Query } from './query.ts';

/** Counted by one request: values that are sought among these are looked through here. */
const valuesMax = 10_000;

type Aggregations = Record<string, object>;
type FacetsAsked = Pick<SearchQuery, 'facetQuery' | 'facetValuesMax' | 'facets' | 'typosMax'>;

/** Of one search; a cluster takes 65,535 unless told otherwise. */
const bucketsMax = 20_000;

/** Facets of the same documents, as many together as one search counts: the documents may be named by thousands of ids. */
export function countedTogether(facets: FacetRequest[], asked: FacetsAsked): FacetRequest[][] {
  const together: FacetRequest[][] = [];
  let last: FacetRequest[] = [];
  let buckets = bucketsMax;
  for (const facet of facets) {
    const own = facet.ranges.length > 0 ? facet.ranges.length : countedValues(facet, asked);
    buckets += own;
    if (buckets > bucketsMax) {
      last = [];
      together.push(last);
      buckets = own;
    }
    last.push(facet);
  }
  return together;
}

/** What counts facets of the same documents. */
export function facetCounts(facets: FacetRequest[], asked: FacetsAsked): Aggregations {
  return Object.fromEntries(
    facets.flatMap((facet, i) =>
      Object.entries(facetAggregations(facet, asked)).map(([name, counted]) => [`${name}${i}`, counted]),
    ),
  );
}

/** Each with what was counted of it. */
export function facetsIn(facets: FacetRequest[], reply: SearchReply | undefined) {
  return facets.map((facet, i) => {
    const { [`counts${i}`]: counts, [`stats${i}`]: stats } = reply?.aggregations ?? {};
    return { facet, aggregates: { counts, stats } as FacetAggregates };
  });
}

/** All that may match where values are sought. */
function countedValues({ field }: FacetRequest, asked: FacetsAsked): number {
  const isSought = facetMatcher(asked.facetQuery, field, asked.facets) !== null;
  return isSought ? valuesMax : Math.max(1, asked.facetValuesMax);
}

/** What counts a facet: values by their labels, most first, or ranges; and its numbers. */
function facetAggregations(facet: FacetRequest, asked: FacetsAsked): Aggregations {
  const { field, ranges } = facet;
  const counts =
    ranges.length > 0
      ? { filters: { filters: Object.fromEntries(ranges.map((range, i) => [i, rangeQuery(field, range)])) } }
      : {
          terms: {
            field: slotName('s', field),
            size: countedValues(facet, asked),
            order: [{ _count: 'desc' }, { _key: 'asc' }],
          },
        };
  return { counts, stats: { stats: { field: slotName('n', field) } } };
}

/** Its end is excluded. */
function rangeQuery(field: string, { from, to }: FacetRequest['ranges'][number]): Query {
  const bounds = { ...(from !== null && { gte: from }), ...(to !== null && { lt: to }) };
  return anyOf([
    { range: { [slotName('n', field)]: bounds } },
    { range: { [slotName('d', field)]: bounds } },
  ]);
}

interface FacetAggregates {
  counts: {
    buckets: { key: string; doc_count: number }[] | Record<string, { doc_count: number }>;
    sum_other_doc_count?: number;
  };
  stats: { count: number; min: number; max: number; avg: number; sum: number };
}

/** @throws AppError UNPROCESSABLE: values are sought among more than are counted */
export function facetAnswer(
  { field, ranges }: FacetRequest,
  { counts, stats }: FacetAggregates,
  { asked, view }: { asked: FacetsAsked; view: FieldView | undefined },
): EngineFacet {
  const counted = Array.isArray(counts.buckets)
    ? counts.buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count }))
    : ranges.map(({ label }, i) => ({ value: label, count: rangeCount(counts, i) }));
  const isNumber = view?.types.includes('number') === true && stats.count > 0;
  const { count, min, max, avg, sum } = stats;
  return {
    field,
    counts: shownValues(
      field,
      counted.filter((each) => each.count > 0),
      counts.sum_other_doc_count ?? 0,
      asked,
    ),
    stats: isNumber ? { count, min, max, avg, sum } : null,
  };
}

function rangeCount({ buckets }: FacetAggregates['counts'], place: number): number {
  return Array.isArray(buckets) ? 0 : (buckets[String(place)]?.doc_count ?? 0);
}

type Counted = { value: string; count: number };

function shownValues(
  field: string,
  counted: Counted[],
  others: number,
  { facetQuery, facets, facetValuesMax, typosMax }: FacetsAsked,
): EngineFacet['counts'] {
  const sorted = counted.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const matcher = facetMatcher(facetQuery, field, facets);
  if (matcher === null) return sorted.slice(0, facetValuesMax);
  if (others > 0) throw notBuilt(`A "facet_query" among more than ${valuesMax} values`, 'facet_query');
  const found = (by: Pick<typeof matcher, 'isMatch' | 'marked'>) =>
    sorted
      .filter(({ value }) => by.isMatch(value))
      .slice(0, facetValuesMax)
      .map((each) => ({ ...each, highlighted: by.marked(each.value) }));
  const exact = found(matcher);
  return exact.length > 0 || typosMax === 0 ? exact : found(matcher.near(typosMax));
}
