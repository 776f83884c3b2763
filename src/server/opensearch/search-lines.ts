import { AppError } from '#server/errors.ts';

/** Of one request, unless one search alone has more; a node takes 100 MB unless told otherwise. */
const requestBytesMax = 8 * 1024 * 1024;

/** Of all that is asked for one answer. */
export const answerBytesMax = 64 * 1024 * 1024;

/** How much may still be sent. */
export class SearchBytes {
  #left: number;

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** @throws AppError UNPROCESSABLE: it is more than is left */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw tooMuch();
  }
}

/**
 * Searches as the lines of requests, each of a bounded number of bytes: what names thousands of documents many times over would be more than a node takes, or
 * than a text may have. Each is written where it is about to be sent. @throws as `SearchBytes.spend`
 */
export function* searchRequests(
  head: object,
  searches: readonly object[],
  bytes: SearchBytes,
): Generator<string[]> {
  const own = JSON.stringify(head);
  let lines: string[] = [];
  let size = 0;
  for (const search of searches) {
    const line = JSON.stringify({ ...whatIsRead(search), ...search });
    const added = Buffer.byteLength(own) + Buffer.byteLength(line) + 2;
    bytes.spend(added);
    if (lines.length > 0 && size + added > requestBytesMax) {
      yield lines;
      [lines, size] = [[], 0];
    }
    lines.push(own, line);
    size += added;
  }
  if (lines.length > 0) yield lines;
}

/** By the column of ids hits are told: to read a stored id the cluster unpacks all that is stored of the documents about it. */
export const idColumn = { field: 'id' };

/** With versions, columns alone are refused. */
function whatIsRead(search: object): object {
  const columns = { stored_fields: '_none_', docvalue_fields: [idColumn] };
  return { track_total_hits: false, ...('version' in search ? {} : columns) };
}

/** Whoever asks can do something about it; to try again is in vain. */
export function tooMuch(cause?: unknown): AppError {
  return new AppError(
    'UNPROCESSABLE',
    'This search asks the search cluster for more than one search may; ask for fewer neighbours ("k" of "vector_query"), groups ("per_page") or facets, or with a shorter filter',
    { cause },
  );
}
