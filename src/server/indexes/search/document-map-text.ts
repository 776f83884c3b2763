import type { DocumentSample } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import { valueInSteps } from '#server/wire/json-text.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import { AnswerBytes } from './answer-bytes.ts';
import { fitting } from './search-hit.ts';

/** What a map is drawn from, as JSON in UTF-8, made piece by piece: thousands of documents have megabytes. @throws AnswerTooLargeError */
export function* documentMapText(
  { rows, scales, ...sample }: DocumentSample,
  bytesMax: number,
): Steps<Uint8Array<ArrayBuffer>> {
  // As base64 they have a third more.
  new AnswerBytes(bytesMax).add(rows.byteLength + scales.byteLength);
  const map: DocumentMap = { ...sample, rows: base64(rows), scales: base64(scales) };
  yield;
  return fitting(yield* valueInSteps(map), bytesMax);
}

function base64({ buffer, byteOffset, byteLength }: Int8Array | Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
