/** What the teacher makes of texts, in threads, kept in a file: a run that was stopped goes on where it was. */
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const textsATurn = 64;

/**
 * @param model the built-in transformer, with room for each thread
 * @param onnx a model that is read in its place; null: none
 * @param texts lists of token ids, with `onnx` strings
 * @param file holds the vectors of the first texts; the name has to tell the texts
 * @param tell is told after each turn how many vectors there are
 * @returns texts × dims, row-major
 */
export async function teacherVectors({ model, onnx, texts, file, tell }) {
  const rowBytes = 4 * model.dims;
  const vectors = new Float32Array(texts.length * model.dims);
  const bytes = new Uint8Array(vectors.buffer);
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, 'a+');
  const workers = model.scratches.map(
    (scratch) =>
      new Worker(new URL('./model-teacher.mjs', import.meta.url), { workerData: { model, scratch, onnx } }),
  );
  try {
    const { size } = await handle.stat();
    let done = Math.min(texts.length, Math.floor(size / rowBytes));
    await handle.truncate(done * rowBytes);
    await readWhole(handle, bytes.subarray(0, done * rowBytes));
    tell(done);
    while (done < texts.length) {
      const turns = workers.map((worker, i) => turn(worker, texts, done + i * textsATurn));
      const from = done;
      for (const rows of await Promise.all(turns)) {
        vectors.set(rows, done * model.dims);
        done += rows.length / model.dims;
      }
      await handle.appendFile(bytes.subarray(from * rowBytes, done * rowBytes));
      tell(done);
    }
    return vectors;
  } finally {
    await Promise.all([handle.close(), ...workers.map((worker) => worker.terminate())]);
  }
}

async function turn(worker, texts, from) {
  const some = texts.slice(from, from + textsATurn);
  if (some.length === 0) return new Float32Array(0);
  worker.postMessage(some);
  const [rows] = await once(worker, 'message');
  return rows;
}

async function readWhole(handle, bytes) {
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) throw new Error('The file of vectors became shorter while it was read');
    at += bytesRead;
  }
}
