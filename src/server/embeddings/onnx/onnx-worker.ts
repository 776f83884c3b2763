import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { OnnxModel, type OnnxModelSource } from './onnx-model.ts';

/** A thread that embeds texts by a sentence-transformer, task by task in their order. It ends with an error where the model cannot be opened. */

export interface OnnxThreadData extends OnnxModelSource {
  /** It makes way for all others. */
  isNice: boolean;
}

export interface OnnxTask {
  id: number;
  texts: string[];
}

/** `ready`: how many components its vectors have. Of a task comes a vector for each text in turn; empty: it has none. */
export type OnnxReply =
  | { ready: number }
  | { id: number; vector: Float32Array }
  | { id: number; error: string };

/** Beyond the server's own: a thread of this has a tenth of what another one has of a core that both want. */
const niceness = 10;
const nicest = 19;

const { isNice, ...source }: OnnxThreadData = workerData;
// Elsewhere than on Linux it would be the whole server's.
if (isNice && process.platform === 'linux') setPriority(Math.min(getPriority() + niceness, nicest));

const reply = (message: OnnxReply) => parentPort?.postMessage(message);
const model = await OnnxModel.open(source);

async function embed({ id, texts }: OnnxTask): Promise<void> {
  try {
    for (const text of texts) reply({ id, vector: await model.embed(text) });
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

reply({ ready: (await model.embed('a')).length });
let before = Promise.resolve();
parentPort?.on('message', (task: OnnxTask) => {
  before = before.then(() => embed(task));
});
