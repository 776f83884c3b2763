/** A thread of `model.mjs`: texts in (lists of tokens for the built-in transformer, or strings for a model in a directory), vectors of unit length out, in their order. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadSources } from './load-sources.mjs';

const { Transformer, createKernels, OnnxModel } = await loadSources(`
  export { Transformer } from './src/server/embeddings/transformer/transformer.ts';
  export { createKernels } from './src/server/embeddings/transformer/kernels.ts';
  export { OnnxModel } from './src/server/embeddings/onnx/onnx-model.ts';
`);
const { model, scratch, onnx } = workerData;
const { dims } = model;
const teacher = onnx
  ? await OnnxModel.open(onnx)
  : new Transformer(createKernels(model.memory), model, scratch);

parentPort.on('message', async (texts) => {
  const vectors = new Float32Array(texts.length * dims);
  for (const [i, text] of texts.entries()) {
    const vector = await teacher.embed(text);
    if (vector.length !== 0 && vector.length !== dims)
      throw new Error(`The model has ${vector.length} components, not the ${dims} of the built-in one`);
    vectors.set(vector, i * dims);
  }
  parentPort.postMessage(vectors, [vectors.buffer]);
});
