import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddingText } from './embedder.ts';
import { StaticEmbedder } from './static-embedder.ts';
import type { StaticTable } from './static-table.ts';

/** The thread that embeds documents: slices in, vectors out, in order. */

export interface EmbeddingSlice {
  id: number;
  texts: EmbeddingText[];
  dimension: number;
  isRotated: boolean;
}
export type EmbeddedSlice = { id: number; vectors: Float32Array } | { id: number; error: string };

/** A thread of this has a tenth of what another one has of a core that both want. */
const niceness = 10;

// Where cores are few, searches go before imports. On Linux this is the thread's own; elsewhere it would be the whole server's.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), niceness));

const table: StaticTable = workerData;
const embedder = new StaticEmbedder(table);

function embed({ id, texts, dimension, isRotated }: EmbeddingSlice): EmbeddedSlice {
  try {
    const vectors = new Float32Array(texts.length * dimension);
    texts.forEach((text, row) => {
      const vector = vectors.subarray(row * dimension, (row + 1) * dimension);
      embedder.embedDocument(text, vector, isRotated);
    });
    return { id, vectors };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (slice: EmbeddingSlice) => {
  const answer = embed(slice);
  parentPort?.postMessage(answer, 'vectors' in answer ? [answer.vectors.buffer as ArrayBuffer] : []);
});
