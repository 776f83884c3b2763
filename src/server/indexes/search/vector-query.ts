import { parseVectorQuery } from '#server/engine/search-index.ts';
import type { WrittenVectorQuery } from '#server/engine/types.ts';
import { badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchParameters } from '#shared/search-parameters.ts';
import type { CollectionHandle } from '../indexes.ts';
import { checkLength } from '../write/document.ts';
import { diagnosticsError } from './diagnostics-error.ts';

/** The caller's own query vector and what came with it. */
export interface VectorQuery {
  /** Null: it is a document's, or only `k` or a threshold was sent and the words are embedded. */
  vector: Float32Array | null;
  /** Of the document whose vectors are compared; absent: none is named. */
  id?: string;
  k: number | null;
  distanceThreshold: number | null;
}

type Given = NonNullable<SearchParameters['vector_query']>;
const path = 'vector_query';

/**
 * The three forms: numbers, `{vector, k, distance_threshold}`, or the text `embedding:([0.1, 0.2], k:10, distance_threshold:0.4)`, the last two
 * with the `id` of a document in place of the vector; a text may also be either of the others as JSON, since a query string has no other way to send them.
 * @throws AppError BAD_REQUEST with the path, and the position within a text
 */
export function readVectorQuery(collection: CollectionHandle, given: Given | undefined): VectorQuery | null {
  return given === undefined ? null : checked(collection, written(given));
}

function written(given: Given): WrittenVectorQuery {
  if (Array.isArray(given)) return { vector: given, k: null, distanceThreshold: null };
  if (typeof given !== 'string') {
    const { vector, id, k, distance_threshold } = given;
    return {
      vector: vector ?? null,
      ...(id !== undefined && { id }),
      k: k ?? null,
      distanceThreshold: distance_threshold ?? null,
    };
  }
  const { query, diagnostics } = parseVectorQuery(given, limits.dimensionMax);
  if (query === null) throw diagnosticsError(path, diagnostics);
  return query;
}

function checked(
  collection: CollectionHandle,
  { vector, id, k, distanceThreshold }: WrittenVectorQuery,
): VectorQuery {
  if (id !== undefined && vector !== null && vector.length > 0)
    throw badRequest(path, 'takes a vector or the id of a document, not both');
  if (k !== null && !(Number.isInteger(k) && k >= 1 && k <= limits.neighboursMax)) {
    throw badRequest(path, `k must be a whole number from 1 to ${limits.neighboursMax}`);
  }
  return {
    vector: vector !== null && vector.length > 0 ? toVector(collection, vector) : null,
    ...(id !== undefined && { id }),
    k,
    distanceThreshold,
  };
}

function toVector({ dimension, metric }: CollectionHandle, numbers: number[]): Float32Array {
  if (numbers.length !== dimension) {
    throw badRequest(
      path,
      `must have ${dimension} numbers, one a dimension of this collection; it has ${numbers.length}`,
    );
  }
  const vector = Float32Array.from(numbers);
  const bad = vector.findIndex((component) => !Number.isFinite(component));
  if (bad !== -1) throw badRequest(`${path}.${bad}`, 'must be a finite number');
  checkLength(vector, metric, path);
  return vector;
}
