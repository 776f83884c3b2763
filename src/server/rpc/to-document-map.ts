import type { z } from 'zod';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { plainQuery } from '#server/indexes/search/query.ts';
import { titleFields } from '#server/indexes/suggest/document-titles.ts';
import type { DocumentMap, documentMapInput } from '#shared/document-map.ts';
import { limits } from '#shared/limits.ts';

/** What a map asks of the engine. */
export function sampleFor(input: z.output<typeof documentMapInput>): EngineRequest<'sample'> {
  return {
    call: 'sample',
    filter: plainQuery(input.filter_by, {}).filter,
    limit: limits.mapPointsMax,
    titleFields,
    colorField: input.color_by ?? null,
    componentsMax: limits.mapComponentsMax,
    withVectors: input.with_vectors,
  };
}

export function toDocumentMap({ rows, scales, ...sample }: EngineReply<'sample'>): DocumentMap {
  return { ...sample, rows: base64(rows), scales: base64(scales) };
}

function base64({ buffer, byteOffset, byteLength }: Int8Array | Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
