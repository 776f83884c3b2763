import { toRecordError } from '#server/db/record-error.ts';
import { FieldNameError, FilterFaultError, TooDearError } from '#server/engine/search-index.ts';
import type { SearchPart } from '#server/engine/types.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import {
  EngineBusyError,
  QuarantinedError,
  SearchTimeoutError,
  ThreadEndedError,
} from '../host/call-errors.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { diagnosticsError } from '../search/diagnostics-error.ts';
import { IndexTooLargeError, NoMemoryLeftError } from './memory-errors.ts';

/** What went wrong with the record or in the engine, in the caller's terms. */
export function toCallerError(error: unknown): unknown {
  if (error instanceof FilterFaultError)
    return error.isOfRule ? ofOverride(error) : diagnosticsError('filter_by', error.diagnostics);
  if (error instanceof FieldNameError) return badRequest(namedBy[error.part], error.fault);
  if (error instanceof TooDearError) return tooDear(error);
  if (error instanceof SearchTimeoutError) return timedOut(error);
  if (error instanceof EngineBusyError) {
    return new AppError('UNAVAILABLE', 'The search engine is busy with other requests; try again', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
  if (error instanceof IndexTooLargeError) return tooLarge(error);
  if (error instanceof NoMemoryLeftError) {
    return new AppError('UNAVAILABLE', 'The memory for indexes is in use by others; try again in a moment', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof QuarantinedError) {
    return new AppError(
      'UNAVAILABLE',
      'This collection has ended the search engine more than once and rests until it is repaired',
      { cause: error, retryAfterSeconds: 60 },
    );
  }
  if (error instanceof ThreadEndedError) {
    return new AppError('UNAVAILABLE', 'The search engine ended while it was at work for this collection', {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof IndexLostError) {
    return new AppError('UNAVAILABLE', 'The index of this collection was lost; try again', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  return toRecordError(error) ?? error;
}

/** Of a write, or of each row of an import's batch, before anything of it is stored. */
export function notStored(cause: unknown): never {
  if (!(cause instanceof NoMemoryLeftError)) throw cause;
  throw new AppError(
    'UNAVAILABLE',
    'This was not stored: the memory for indexes is in use by others. Send it again in a few seconds',
    { cause, retryAfterSeconds: 5 },
  );
}

const namedBy: Record<FieldNameError['part'], string> = {
  fields: 'query_by',
  sort: 'sort_by',
  facets: 'facet_by',
  facetQuery: 'facet_query',
  group: 'group_by',
  color: 'color_by',
};

function ofOverride({ diagnostics }: FilterFaultError): AppError {
  const details = diagnostics.map((fault) => ({ path: 'override.filter_by', ...fault }));
  return unfitOverride('filter', details);
}

/** Whoever searches has not written it. */
export function unfitOverride(part: 'filter' | 'order', details: ErrorDetail[]): AppError {
  const [first] = details;
  const why = first === undefined ? '' : `: ${first.message}`;
  return new AppError(
    'UNPROCESSABLE',
    `The ${part} of the override that acts on this query does not fit the collection${why}. Without overrides ("enable_overrides": false) it is searched`,
    { details },
  );
}

const askForLess = 'takes more work than one request may; ask for less of it, or of fewer documents';
const bounded = {
  filter: { path: 'filter_by', message: askForLess },
  facets: { path: 'facet_by', message: askForLess },
  groups: { path: 'group_by', message: askForLess },
  words: {
    path: 'query',
    message:
      'has synonyms of several words that too many documents may hold; search fewer fields, or without synonyms ("enable_synonyms": false)',
  },
} as const;

function tooDear({ part }: TooDearError): AppError {
  const { path, message } = bounded[part];
  return new AppError('UNPROCESSABLE', `${path}: ${message}`, { details: [{ path, message }] });
}

const megabyte = 1024 * 1024;

function tooLarge(cause: IndexTooLargeError): AppError {
  const takes = `about ${Math.ceil(cause.bytes / megabyte)} MB of memory`;
  const allowed = `INDEX_MEMORY_MB allows ${Math.floor(cause.bytesMax / megabyte)} MB for all`;
  const left = 'documents of it can be deleted by their ids';
  return new AppError(
    'UNPROCESSABLE',
    `The index of this collection takes ${takes}, and ${allowed}; ${left}`,
    {
      cause,
    },
  );
}

/** What of a search takes most of the time, and the parameter that says so. */
const parts: Record<SearchPart, { name: string; path: string }> = {
  filter: { name: 'the filter', path: 'filter_by' },
  words: { name: 'the words', path: 'query' },
  vector: { name: 'the comparison of vectors', path: 'query' },
  ranking: { name: 'the order', path: 'sort_by' },
  groups: { name: 'the groups', path: 'group_by' },
  facets: { name: 'the facets', path: 'facet_by' },
  highlights: { name: 'the hits and their highlights', path: 'per_page' },
  explain: { name: 'the explanations', path: 'explain' },
  answer: { name: 'the hits and their documents', path: 'per_page' },
};

function timedOut(cause: SearchTimeoutError): AppError {
  const seconds = `more than ${cause.budgetMs / 1000} s of computing`;
  if (cause.part === null) return new AppError('UNPROCESSABLE', `This takes ${seconds}`, { cause });
  const { name, path } = parts[cause.part];
  const message = `takes ${seconds}, most of it for ${name}`;
  return new AppError('UNPROCESSABLE', `${path}: ${message}`, { cause, details: [{ path, message }] });
}

export function notSearchable(cause: unknown): never {
  throw new AppError('UNAVAILABLE', 'The change is stored, but cannot be searched yet; try again', {
    cause,
    retryAfterSeconds: 2,
  });
}
