import type { z } from 'zod';
import { AppError } from '#server/errors.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { findTooLarge, inUnits } from '#server/indexes/search/answer-bytes.ts';
import { plainQuery } from '#server/indexes/search/query.ts';
import { titleFields } from '#server/indexes/suggest/document-titles.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentMap, documentMapInput } from '#shared/document-map.ts';
import { limits } from '#shared/limits.ts';
import type { Context } from './context.ts';

/**
 * What a map is drawn from: the text that the engine's thread has made of it. It is held of the answers' memory, beside those of other calls.
 * @throws AppError UNPROCESSABLE (more than an answer may have), UNAVAILABLE (no room for it now), what a filter has wrong
 */
export async function readDocumentMap(
  { deps, held, request: { answerBytesMax: bytesMax, signal } }: Pick<Context, 'deps' | 'held' | 'request'>,
  collection: CollectionHandle,
  input: z.output<typeof documentMapInput>,
): Promise<JsonText<DocumentMap>> {
  const sample = {
    call: 'sample',
    filter: plainQuery(input.filter_by, {}).filter,
    limit: limits.mapPointsMax,
    titleFields,
    colorField: input.color_by ?? null,
    componentsMax: limits.mapComponentsMax,
    withVectors: input.with_vectors,
    bytesMax,
  } as const;
  const { map } = await deps.indexes.read(collection, sample, signal).catch((error: unknown) => {
    throw findTooLarge(error) === null ? error : tooLarge(bytesMax, error);
  });
  held.answer.add(map.byteLength);
  return new JsonText(map);
}

function tooLarge(bytesMax: number, cause: unknown): AppError {
  const message = `the map would have more than ${inUnits(bytesMax)}: narrow it with "filter_by", ask without "with_vectors" or "color_by", or for fewer maps in one request`;
  return new AppError('UNPROCESSABLE', `filter_by: ${message}`, {
    details: [{ path: 'filter_by', message }],
    cause,
  });
}
