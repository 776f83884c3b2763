import type { TrpcClient } from '#client/lib/trpc.ts';
import { limits } from '#shared/limits.ts';
import type { FacetCounts } from '#shared/search.ts';
import { type FieldBins, makeBins, rangeFacet, toAxis } from './field-bins.ts';
import { pickValueFields } from './pick-value-fields.ts';

/** What a collection can be narrowed by. */
export type FacetField =
  /** `order`: the values by how many documents have them in the whole collection, so that they stand still while counts change. */
  | { kind: 'values'; path: string; order: string[] }
  | { kind: 'switch'; path: string }
  | { kind: 'range'; path: string; bins: FieldBins };

export interface CollectionShape {
  /** All that its documents have, for the filter. */
  fields: string[];
  facets: FacetField[];
  sortFields: string[];
}

interface KnownField {
  path: string;
  types: string[];
  documentCount: number;
}

const candidatesMax = 24;
const rangesMax = 4;
const sortFieldsMax = 12;
const learnedValues = 50;
/** A field with a few values of another type is still one of numbers. */
const mostlyShare = 0.9;

/** Read once for a collection, and again after a write. */
export async function learnShape(
  client: TrpcClient,
  collection: number,
  signal: AbortSignal,
): Promise<CollectionShape> {
  const fields: KnownField[] = await client.collections.fields.query({ collection }, { signal });
  // A name with these characters cannot be written in `facet_by` nor `sort_by`.
  const plain = fields.filter(({ path }) => !/[,(:]/.test(path));
  const counted = plain
    .filter(({ types }) => types.some((type) => type !== 'geopoint'))
    .slice(0, candidatesMax);
  const paths = fields.map(({ path }) => path);
  if (counted.length === 0) return { fields: paths, facets: [], sortFields: [] };
  const ordered = counted.filter(isOrdered);
  const answer = await client.search.keyword.query(
    {
      collection,
      query: '*',
      facet_by: [...counted.map(({ path }) => path), ...ordered.map(({ path }) => `${path}(any:[..])`)].slice(
        0,
        limits.facetsMax,
      ),
      max_facet_values: learnedValues,
      per_page: 0,
    },
    { signal },
  );
  const countsOf = new Map(
    answer.facet_counts.slice(0, counted.length).map((facet) => [facet.field_name, facet]),
  );
  const anyOf = new Map(answer.facet_counts.slice(counted.length).map((facet) => [facet.field_name, facet]));
  const scales = ordered.filter(({ path, documentCount }) => {
    const withNumber = anyOf.get(path)?.counts[0]?.count ?? 0;
    return withNumber > 0 && withNumber >= documentCount * mostlyShare;
  });
  const ranges = await learnRanges(
    client,
    { collection, scales: scales.slice(0, rangesMax), countsOf },
    signal,
  );
  const switches = counted.filter(({ types }) => types.length === 1 && types[0] === 'boolean');
  const taken = new Set([...scales, ...switches].map(({ path }) => path));
  const values = pickValueFields({
    facets: [...countsOf.values()].filter(({ field_name }) => !taken.has(field_name)),
    outOf: answer.out_of,
  });
  return {
    fields: paths,
    facets: [...values, ...switches.map(({ path }) => ({ kind: 'switch' as const, path })), ...ranges],
    sortFields: scales.map(({ path }) => path).slice(0, sortFieldsMax),
  };
}

function isOrdered({ types }: KnownField): boolean {
  return types.includes('number') || types.includes('date');
}

/** Where the values of each field begin and end, cut into the bars of its histogram. */
async function learnRanges(
  client: TrpcClient,
  learned: { collection: number; scales: KnownField[]; countsOf: Map<string, FacetCounts> },
  signal: AbortSignal,
): Promise<FacetField[]> {
  const { collection, scales, countsOf } = learned;
  const dates = scales.filter(({ path }) => countsOf.get(path)?.stats === undefined);
  const ends = await endsOfDates(client, { collection, paths: dates.map(({ path }) => path) }, signal);
  return scales.flatMap(({ path }) => {
    const stats = countsOf.get(path)?.stats;
    const span = stats ? { unit: 'number' as const, min: stats.min, max: stats.max } : ends.get(path);
    const bins = span && makeBins(span);
    return bins ? [{ kind: 'range' as const, path, bins }] : [];
  });
}

/** Dates have no statistics: the first and the last of each field are the first hits in their order. */
async function endsOfDates(
  client: TrpcClient,
  { collection, paths }: { collection: number; paths: string[] },
  signal: AbortSignal,
): Promise<Map<string, { unit: 'day'; min: number; max: number }>> {
  if (paths.length === 0) return new Map();
  const searches = paths.flatMap((path) =>
    (['asc', 'desc'] as const).map((direction) => ({
      collection,
      query: '*',
      sort_by: `${path}:${direction}`,
      include_fields: [path],
      per_page: 1,
      enable_analytics: false,
    })),
  );
  const answer = await client.search.multi.query({ searches }, { signal });
  const results = 'results' in answer ? answer.results : [];
  const ends = results.map((result, i) => {
    const path = paths[i >> 1] ?? '';
    return 'hits' in result ? daysIn(result.hits[0]?.document, path) : [];
  });
  return new Map(
    paths.flatMap((path, i) => {
      const days = [...(ends[2 * i] ?? []), ...(ends[2 * i + 1] ?? [])];
      if (days.length === 0) return [];
      return [[path, { unit: 'day' as const, min: Math.min(...days), max: Math.max(...days) }]];
    }),
  );
}

function daysIn(document: unknown, path: string): number[] {
  let values: unknown[] = [document];
  for (const name of path.split('.')) {
    values = values.flatMap((value) =>
      typeof value === 'object' && value !== null && name in value
        ? (value as Record<string, unknown>)[name]
        : [],
    );
  }
  return values.flatMap((value) => toAxis('day', value) ?? []);
}

/** What a search asks of each of them. */
export function facetRequests(facets: FacetField[]): string[] {
  return facets.map((facet) => (facet.kind === 'range' ? rangeFacet(facet.path, facet.bins) : facet.path));
}
