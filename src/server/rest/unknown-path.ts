import { AppError } from '#server/errors.ts';
import { findDescribedPath } from './match.ts';

/** Addresses as other products have them, without `/api` and version. */
const elsewhere: [RegExp, string][] = [
  [/^\/collections\/[^/]+\/documents\/search$/, '/api/collections/{name}/search'],
  [/^\/multi_search$/, '/api/multi-search'],
  [/^\/indexes\/[^/]+\/(?:query|search)$/, '/api/collections/{name}/search'],
  [/^\/indexes\/[^/]+\/documents$/, '/api/collections/{name}/documents'],
];

/** What a caller is told whose path is not there: the one that was meant, as far as it can be known, in the description's own words. */
export function unknownPath(rawPath: string): AppError {
  const meant = findMeant(rawPath);
  if (meant !== null) return new AppError('NOT_FOUND', `There is no such path; did you mean ${meant}?`);
  return new AppError(
    'NOT_FOUND',
    'There is no such path. Those of the API are like /api/collections/{name}/search; /api/openapi.json has them all',
  );
}

/** A search as Typesense has it, at what is the address of the document "search" here: with these parameters it can be nothing else. */
export function isSearchElsewhere(method: string, rawPath: string, query: string): boolean {
  if (!/^\/api\/collections\/[^/]+\/documents\/search$/.test(rawPath)) return false;
  return method === 'POST' || /(?:^|&)(?:q|query|query_by|filter_by)=/.test(query);
}

function findMeant(rawPath: string): string | null {
  const path = rawPath
    .replace(/^\/api(?=\/)/, '')
    .replace(/^\/v?\d+(?=\/)/, '')
    .replace(/\/+$/, '');
  return elsewhere.find(([theirs]) => theirs.test(path))?.[1] ?? findDescribedPath(`/api${path}`);
}
