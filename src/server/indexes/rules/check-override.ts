import { queryWords } from '#server/engine/search-index.ts';
import { badRequest } from '#server/errors.ts';
import type { Override } from '#shared/overrides.ts';
import { checkParameters } from './check-parameters.ts';

/** What can be told of an override without its collection's documents. @throws AppError BAD_REQUEST with field and position */
export function checkOverride({ rule, filter_by, sort_by }: Omit<Override, 'id'>): void {
  const isForAll = rule.match === 'exact' && rule.query === '*';
  if (!isForAll && queryWords(rule.query).length === 0)
    throw badRequest('rule.query', 'has no words; "*" with "exact" stands for a query for all documents');
  checkParameters({ filter_by, sort_by });
}
