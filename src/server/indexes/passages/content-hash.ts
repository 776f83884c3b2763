import { hash } from 'node:crypto';
import type { Embeddable } from './embeddable.ts';

/** SHA-256 of everything that a document's vectors depend on: equal hashes, equal vectors. */
export function contentHash(modelId: string, dimension: number, embeddable: Embeddable | null): Uint8Array {
  const { text, cut = [] } = embeddable ?? {};
  return hash('sha256', JSON.stringify([modelId, dimension, text?.title, text?.text, ...cut]), 'buffer');
}

/** SHA-256 of a caller's own vector. */
export function vectorHash(vector: Float32Array): Uint8Array {
  return hash('sha256', new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), 'buffer');
}
