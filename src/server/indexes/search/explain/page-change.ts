import { limits } from '#shared/limits.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { Page } from '../page-of.ts';

const usualPerPage = 10;

/** What shows a hit that stands at a rank, from 1. Null: no page reaches so far. */
export function pageChange(
  rank: number,
  { offset, perPage }: Page,
  parameters: Pick<GivenParameters, 'page' | 'offset'>,
): GivenParameters | null {
  if (rank > offset && rank <= offset + perPage) return {};
  if (rank > limits.pagedHitsMax) return null;
  const size = perPage || usualPerPage;
  const page = Math.ceil(rank / size);
  const hits: GivenParameters = perPage === 0 ? { per_page: size } : {};
  // The last page may reach behind the last hit that paging reaches.
  const start = Math.min((page - 1) * size, limits.pagedHitsMax - size);
  const isCut = start % size !== 0;
  if (isCut || parameters.offset !== undefined) return { ...hits, offset: start };
  return (parameters.page ?? 1) === page ? hits : { ...hits, page };
}

/** Null: no page reaches so far. */
export function pageOfRank(rank: number, { perPage }: Page): number | null {
  const size = perPage || usualPerPage;
  return rank > limits.pagedHitsMax ? null : Math.ceil(rank / size);
}
