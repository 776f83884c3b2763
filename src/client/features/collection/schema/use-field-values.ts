import { trpc } from '#client/lib/trpc.ts';
import { limits } from '#shared/limits.ts';
import type { KnownField } from './known-field.ts';

/** What a field's values are, as far as they were counted. */
export interface FieldValues {
  /** The most frequent ones. */
  examples: string[];
  /** How many different ones; null: more than were counted. */
  distinct: number | null;
  /** Of numbers. */
  range: { min: number; max: number } | null;
}

/** More different values of a field are not counted. */
export const countedValues = 20;
const shownExamples = 3;

/** Of the first fields; one whose name a list of facets cannot hold has none. */
export function useFieldValues(collection: number, fields: KnownField[]): Map<string, FieldValues> {
  const paths = fields
    .filter(({ path, counts }) => !/[,(:]/.test(path) && counts.some(({ type }) => type !== 'geopoint'))
    .slice(0, limits.facetsMax)
    .map(({ path }) => path);
  const counted = trpc.search.keyword.useQuery(
    {
      collection,
      query: '*',
      facet_by: paths,
      max_facet_values: countedValues + 1,
      per_page: 0,
      enable_overrides: false,
      enable_analytics: false,
    },
    { enabled: paths.length > 0 },
  );
  const facets = counted.data?.facet_counts ?? [];
  return new Map(
    facets.map(({ field_name, counts, stats }) => [
      field_name,
      {
        examples: counts.slice(0, shownExamples).map(({ value }) => value),
        distinct: counts.length > countedValues ? null : counts.length,
        range: stats ? { min: stats.min, max: stats.max } : null,
      },
    ]),
  );
}
