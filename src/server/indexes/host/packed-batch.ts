import type { WriteBatch } from '#server/engine/types.ts';

/**
 * A batch on its way to a thread: all vectors in one array and all spans in another, in memory of its own that moves as a whole. Sent as it is, each
 * document's small arrays would be copied, tracked and collected one by one, which cost more than the documents' texts.
 */
export interface PackedBatch {
  version: number;
  deletes: string[];
  ids: string[];
  sources: string[];
  vectors: Float32Array<ArrayBuffer>;
  spans: Int32Array<ArrayBuffer>;
  /** Two numbers a document: components in `vectors`, numbers in `spans`. */
  lengths: Int32Array<ArrayBuffer>;
}

/** A component of a vector, a place or a length. */
const numberBytes = 4;

export function packBatch({ version, puts, deletes }: WriteBatch): PackedBatch {
  let components = 0;
  let places = 0;
  for (const { vectors, spans } of puts) {
    components += vectors.length;
    places += spans.length;
  }
  const memory = new ArrayBuffer((components + places + puts.length * 2) * numberBytes);
  const packed = {
    vectors: new Float32Array(memory, 0, components),
    spans: new Int32Array(memory, components * numberBytes, places),
    lengths: new Int32Array(memory, (components + places) * numberBytes),
  };
  for (const [i, { vectors, spans }] of puts.entries()) {
    packed.lengths[i * 2] = vectors.length;
    packed.lengths[i * 2 + 1] = spans.length;
  }
  let at = { vector: 0, span: 0 };
  for (const { vectors, spans } of puts) {
    packed.vectors.set(vectors, at.vector);
    packed.spans.set(spans, at.span);
    at = { vector: at.vector + vectors.length, span: at.span + spans.length };
  }
  const ids = puts.map((put) => put.id);
  const sources = puts.map((put) => put.source);
  return { version, deletes, ids, sources, ...packed };
}

/** The batch again; its arrays are views. */
export function unpackBatch({ version, deletes, ids, sources, ...packed }: PackedBatch): WriteBatch {
  let vector = 0;
  let span = 0;
  const puts = ids.map((id, i) => {
    const vectorEnd = vector + (packed.lengths[i * 2] ?? 0);
    const spanEnd = span + (packed.lengths[i * 2 + 1] ?? 0);
    const vectors = packed.vectors.subarray(vector, vectorEnd);
    const spans = packed.spans.subarray(span, spanEnd);
    [vector, span] = [vectorEnd, spanEnd];
    return { id, source: sources[i] ?? '', vectors, spans };
  });
  return { version, puts, deletes };
}

/** Its memory moves to the thread. */
export function memoryOf({ vectors: { buffer } }: PackedBatch): ArrayBuffer[] {
  return buffer.byteLength > 0 ? [buffer] : [];
}
