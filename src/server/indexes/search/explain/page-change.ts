import type { GroupStanding } from '#server/engine/search-index.ts';
import { limits } from '#shared/limits.ts';
import type { GivenParameters, SearchParameters } from '#shared/search-parameters.ts';
import type { Page } from '../page-of.ts';

const usualPerPage = 10;

/** What shows a hit that stands at a rank, from 1. Null: no page reaches so far. */
export function pageChange(
  rank: number,
  { offset, perPage }: Page,
  parameters: Pick<GivenParameters, 'page' | 'offset' | 'cursor'>,
): GivenParameters | null {
  if (rank > offset && rank <= offset + perPage) return {};
  if (rank > limits.pagedHitsMax) return null;
  const size = perPage || usualPerPage;
  const page = Math.ceil(rank / size);
  // A cursor says where its page begins, an empty one leaves that to the others.
  const hits: GivenParameters = {
    ...(parameters.cursor && { cursor: '' }),
    ...(perPage === 0 && { per_page: size }),
  };
  // The last page may reach behind the last hit that paging reaches.
  const start = Math.min((page - 1) * size, limits.pagedHitsMax - size);
  const isCut = start % size !== 0;
  if (isCut || parameters.offset !== undefined) return { ...hits, offset: start };
  return (parameters.page ?? 1) === page ? hits : { ...hits, page };
}

/** What shows a document within its group. Null: no group shows so many. */
export function groupChange(
  group: GroupStanding | null,
  { group_limit: limit }: Pick<SearchParameters, 'group_limit'>,
): GivenParameters | null {
  if (group === null || group.rank <= limit) return {};
  return group.rank > limits.groupHitsMax ? null : { group_limit: group.rank };
}

/** Null: no page reaches so far. */
export function pageOfRank(rank: number, { perPage }: Page): number | null {
  const size = perPage || usualPerPage;
  return rank > limits.pagedHitsMax ? null : Math.ceil(rank / size);
}
