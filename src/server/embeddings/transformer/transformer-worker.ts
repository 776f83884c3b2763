import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { EmbeddingText } from '../embedder.ts';
import { StaticEmbedder } from '../static-embedder.ts';
import type { StaticTable } from '../static-table.ts';
import { checkKernels } from './check-kernels.ts';
import { createKernels } from './kernels.ts';
import { Transformer } from './transformer.ts';
import type { Scratch, TransformerModel } from './transformer-model.ts';

/** A thread that embeds texts by the transformer, one at a time, in their order. It ends with an error where the kernels do not compute as they should. */

export interface TransformerThreadData {
  table: StaticTable;
  model: TransformerModel;
  scratch: Scratch;
  /** It makes way for all others. */
  isNice: boolean;
}

export interface TransformerTask {
  id: number;
  /** A query, or a document. */
  text: string | EmbeddingText;
  dimension: number;
  isRotated: boolean;
}
/** `ready`: it can begin. */
export type TransformerReply = 'ready' | { id: number; vector: Float32Array<ArrayBuffer> };

/** It has a seventh of what the table's thread has of a core that both want, for which an import waits, and a seventieth of what searches have. */
const nicest = 19;

const { table, model, scratch, isNice }: TransformerThreadData = workerData;
// Elsewhere than on Linux it would be the whole server's.
if (isNice && process.platform === 'linux') setPriority(nicest);

checkKernels();
const embedder = new StaticEmbedder(table, new Transformer(createKernels(model.memory), model, scratch));

parentPort?.on('message', ({ id, text, dimension, isRotated }: TransformerTask) => {
  const vector = new Float32Array(dimension);
  if (typeof text === 'string') vector.set(embedder.embedQuery(text, dimension, isRotated));
  else embedder.embedDocument(text, vector, isRotated);
  parentPort?.postMessage({ id, vector } satisfies TransformerReply, [vector.buffer]);
});
parentPort?.postMessage('ready' satisfies TransformerReply);
