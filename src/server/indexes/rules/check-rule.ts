import { queryWords } from '#server/engine/search-index.ts';
import { badRequest } from '#server/errors.ts';
import type { Override } from '#shared/overrides.ts';

/** Whether there is a query that an override's rule can match. @throws AppError BAD_REQUEST */
export function checkRule({ query, match }: Override['rule']): void {
  const isForAll = match === 'exact' && query === '*';
  if (!isForAll && queryWords(query).length === 0)
    throw badRequest('rule.query', 'has no words; "*" with "exact" stands for a query for all documents');
}
