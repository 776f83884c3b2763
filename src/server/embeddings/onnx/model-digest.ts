import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ModelDirectory } from './read-model-directory.ts';

const digits = 12;

/** Of all that decides what vectors a model makes: its numbers, its tokens, and how they are used. */
export async function digestOf(model: ModelDirectory): Promise<string> {
  const { files, tokenizerFile, tokenizerConfigFile, pooling, tokensMax, isLowerCased, prompts, layers } =
    model;
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ pooling, tokensMax, isLowerCased, prompts }));
  for (const layer of layers) {
    hash.update(`\n${JSON.stringify({ ...layer, weights: null, bias: null })}\n`);
    if (layer.kind === 'dense')
      for (const numbers of [layer.weights, layer.bias]) if (numbers) hash.update(numbers);
  }
  for (const file of [files.model, ...files.numbers, tokenizerFile, tokenizerConfigFile]) {
    if (file === null) continue;
    hash.update(`\n${(await stat(file)).size}\n`);
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(bytes);
  }
  return hash.digest('hex').slice(0, digits);
}
