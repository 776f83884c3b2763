import { parseFilter } from '#server/engine/search-index.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import { diagnosticsError } from '../search/diagnostics-error.ts';
import { facetsOf, fieldsOf, sortOf } from '../search/query.ts';

/** What can be told of parameters that are stored without their collection's documents. @throws AppError BAD_REQUEST with field and position */
export function checkParameters(parameters: GivenParameters): void {
  const { diagnostics } = parseFilter(parameters.filter_by ?? '');
  if (diagnostics.length > 0) throw diagnosticsError('filter_by', diagnostics);
  sortOf(parameters.sort_by);
  facetsOf(parameters.facet_by);
  fieldsOf(parameters);
}
