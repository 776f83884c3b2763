import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { WordPiece } from '../word-piece.ts';
import { createKernels } from './kernels.ts';
import { createPlainKernels } from './plain-kernels.ts';
import { Transformer } from './transformer.ts';
import { loadTransformerModel, type TransformerModel } from './transformer-model.ts';

interface Golden {
  text: string;
  input_ids: number[];
  first8: number[];
}

let model: TransformerModel;
let transformer: Transformer;
let plain: Transformer;
let golden: Golden[];

beforeAll(async () => {
  model = await loadTransformerModel('models/minilm', 2);
  const [first, second] = model.scratches;
  if (!first || !second) throw new Error('there is room for two');
  transformer = new Transformer(createKernels(model.memory), model, first);
  plain = new Transformer(createPlainKernels(model.memory.buffer), model, second);
  golden = JSON.parse(await readFile('models/minilm/golden.json', 'utf8'));
});

const inner = ({ input_ids: ids }: Golden) => ids.slice(1, -1);
const dot = (a: ArrayLike<number>, b: Iterable<number>) =>
  [...b].reduce((sum, x, i) => sum + x * (a[i] ?? 0), 0);
const cosine = (a: Float32Array, b: Float32Array) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

describe('Transformer', () => {
  it('reads the tokens of the reference and comes to its vectors', async () => {
    const pieces = new WordPiece(await readFile('models/static-embeddings/tokens.txt', 'utf8'));
    expect(golden.length).toBeGreaterThanOrEqual(3);
    for (const each of golden) {
      expect(pieces.words(each.text, 254).flatMap((word) => word.pieces)).toEqual(inner(each));
      const vector = transformer.embed(inner(each));
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
      expect(cosine(vector.subarray(0, 8), Float32Array.from(each.first8))).toBeGreaterThan(0.99);
    }
  });

  it('has the rows of its plain twin after every layer', () => {
    // The twin takes seconds for a longer one.
    for (const each of golden.filter((one) => one.input_ids.length < 8)) {
      const expected = plain.layers(inner(each));
      let layers = 0;
      for (const rows of transformer.layers(inner(each))) {
        const twin = expected.next().value;
        expect(cosine(rows, twin ?? new Float32Array(0))).toBeGreaterThan(0.9999);
        layers++;
      }
      expect(layers).toBe(7);
    }
  });

  it('gives a text its vector, whatever was embedded before', () => {
    const ids = fc.array(fc.integer({ min: 1000, max: 30_521 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const vector = transformer.embed(one);
        transformer.embed(other);
        expect(transformer.embed(one)).toEqual(vector);
      }),
      { numRuns: 6 },
    );
  });

  it('reads the first 254 tokens of a long text, and has no vector for an empty one', () => {
    const ids = Array.from({ length: 300 }, (_, i) => 2000 + i);
    expect(transformer.embed(ids)).toEqual(transformer.embed(ids.slice(0, 254)));
    expect(transformer.embed(ids)).not.toEqual(transformer.embed(ids.slice(0, 253)));
    expect(transformer.embed([])).toEqual(new Float32Array(384));
  });
});

it('is not loaded where a file is damaged', async () => {
  await expect(loadTransformerModel('models/static-embeddings', 1)).rejects.toThrow();
});
