import { badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchParameters } from '#shared/search-parameters.ts';

export interface Page {
  page: number;
  perPage: number;
  offset: number;
}

/**
 * `page` and `per_page`, or `offset` and `limit`; a mixture is taken by its parts.
 * @throws AppError BAD_REQUEST beyond the last hit that paging reaches
 */
export function pageOf(
  parameters: Pick<SearchParameters, 'page' | 'per_page' | 'limit' | 'offset' | 'cursor'>,
): Page {
  const perPage = parameters.per_page ?? parameters.limit ?? 10;
  if (parameters.cursor) return pageOfCursor(parameters, perPage);
  const offset = parameters.offset ?? ((parameters.page ?? 1) - 1) * perPage;
  if (offset + perPage > limits.pagedHitsMax) {
    const path = parameters.offset === undefined ? 'page' : 'offset';
    throw badRequest(
      path,
      `reaches beyond hit ${limits.pagedHitsMax}; narrow the search, or go on with a cursor`,
    );
  }
  const page =
    parameters.offset === undefined
      ? (parameters.page ?? 1)
      : perPage === 0
        ? 1
        : Math.floor(offset / perPage) + 1;
  return { page, perPage, offset };
}

/** @throws AppError BAD_REQUEST: the cursor says where its page begins */
function pageOfCursor({ page, offset }: Pick<SearchParameters, 'page' | 'offset'>, perPage: number): Page {
  const path = page !== undefined ? 'page' : offset !== undefined ? 'offset' : null;
  if (path !== null) throw badRequest(path, 'does not go with "cursor", which says where the page begins');
  return { page: 1, perPage, offset: 0 };
}
