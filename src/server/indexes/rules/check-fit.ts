import type { GivenParameters } from '#shared/search-parameters.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from '../search/merged-members.ts';
import { facetsOf, fieldsOf, plainQuery, sortOf } from '../search/query.ts';

/**
 * Whether parameters that are about to be stored fit the documents there are: the fields they name, and what their filter compares. A
 * collection without documents takes any. Those that name nothing are not asked for. @throws AppError as a search with them
 */
export async function checkFit(
  registry: Reader,
  collection: CollectionHandle,
  { parameters, signal }: { parameters: GivenParameters; signal: AbortSignal | undefined },
): Promise<void> {
  const { filter_by, sort_by, group_by: grouped = [] } = parameters;
  const query = plainQuery(filter_by, {
    fields: fieldsOf(parameters),
    sort: sortOf(sort_by),
    facets: facetsOf(parameters.facet_by),
    group: grouped.length === 0 ? null : { fields: grouped, limit: 1, joinsMissing: true },
  });
  const { fields, sort, facets, group, filter } = query;
  const namesNothing = (fields ?? group ?? filter) === null && sort.length + facets.length === 0;
  if (!namesNothing) await registry.read(collection, { call: 'check', query }, signal);
}
