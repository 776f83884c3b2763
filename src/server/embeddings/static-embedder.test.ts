import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { StaticEmbedder } from './static-embedder.ts';
import { loadStaticTable } from './static-table.ts';
import { WordPiece } from './word-piece.ts';

const directory = 'models/static-embeddings';
let embedder: StaticEmbedder;

beforeAll(async () => {
  embedder = new StaticEmbedder(await loadStaticTable(directory));
});

const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

function documentVector(title: string, text: string, dimension: number): Float32Array {
  const out = new Float32Array(dimension);
  embedder.embedDocument({ title, text }, dimension, out, 0);
  return out;
}

describe('StaticEmbedder', () => {
  it('gives the reference its tokens and components', async () => {
    const golden: { text: string; ids: number[]; first8: number[] }[] = JSON.parse(
      await readFile(`${directory}/golden.json`, 'utf8'),
    );
    expect(golden.length).toBeGreaterThan(8);
    for (const { text, ids, first8 } of golden) {
      expect(embedder.tokenIds(text)).toEqual(ids);
      const vector = embedder.embedQuery(text, 384);
      first8.forEach((expected, i) => {
        expect(vector[i]).toBeCloseTo(expected, 5);
      });
    }
  });

  it('knows words from typos, which it reads in pieces', () => {
    expect(['chess', 'Yoga', 'café', 'mortgage'].map((word) => embedder.knowsWord(word))).toEqual(
      Array(4).fill(true),
    );
    const typos = ['chesss', 'qqqxyz', 'picaso', 'alein', 'godfater', '', 'two words'];
    expect(typos.map((word) => embedder.knowsWord(word))).toEqual(typos.map(() => false));
  });

  it('makes vectors of unit length, or zero where it knows nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom(1, 7, 128, 383, 384, 385, 512, 768, 1536, 4096),
        (title, text, dimension) => {
          for (const vector of [
            embedder.embedQuery(text, dimension),
            documentVector(title, text, dimension),
          ]) {
            expect(vector).toHaveLength(dimension);
            const length = lengthOf(vector);
            expect(length === 0 || Math.abs(length - 1) < 1e-4).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(lengthOf(embedder.embedQuery('', 768))).toBe(0);
    expect(lengthOf(embedder.embedQuery(' \n\t', 384))).toBe(0);
  });

  it('gives the same text the same vector, whatever was embedded before', async () => {
    const fresh = new StaticEmbedder(await loadStaticTable(directory));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        expect(embedder.embedQuery(text, 512)).toEqual(fresh.embedQuery(text, 512));
      }),
      { numRuns: 100 },
    );
  });

  it('reads a query once for all dimensions, and makes it the vectors that it has by itself', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    const dimensions = fc.array(fc.constantFrom(1, 64, 384, 385, 768, 4_096), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, dimensions, (query, asked) => {
        const words = vi.spyOn(WordPiece.prototype, 'words');
        const read = embedder.readQuery(query);
        const vectors = asked.map((dimension) => read.toVector(dimension));
        const times = words.mock.calls.length;
        words.mockRestore();
        expect(times).toBe(1);
        expect(vectors).toEqual(asked.map((dimension) => embedder.embedQuery(query, dimension)));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the order of nearness in every dimension', () => {
    for (const dimension of [64, 384, 768, 1536]) {
      const query = embedder.embedQuery('space travel to other planets', dimension);
      const near = documentVector(
        'Voyage to Mars',
        'Astronauts fly a rocket ship to the red planet.',
        dimension,
      );
      const far = documentVector('Kitchen Stories', 'A cook opens a small restaurant in Naples.', dimension);
      expect(dot(query, near)).toBeGreaterThan(dot(query, far) + 0.1);
    }
  });

  it('turns vectors of fewer components by the table’s rotation, and cuts them without', async () => {
    const table = await loadStaticTable(directory);
    const { dims } = table;
    const backwards = Float32Array.from({ length: dims * dims }, (_, at) =>
      at % dims === dims - 1 - Math.floor(at / dims) ? 1 : 0,
    );
    const turned = new StaticEmbedder({ ...table, rotation: backwards });
    const whole = embedder.embedQuery('space travel', dims);
    const unit = (part: Float32Array) => [...part].map((x) => x / lengthOf(part));
    expect(turned.embedQuery('space travel', dims)).toEqual(whole);
    const closeTo = (part: Float32Array) => unit(part).map((x) => expect.closeTo(x, 5));
    expect([...turned.embedQuery('space travel', 64)]).toEqual(closeTo(whole.toReversed().subarray(0, 64)));
    expect([...embedder.embedQuery('space travel', 64)]).toEqual(closeTo(whole.subarray(0, 64)));
  });

  it('adds letters in the larger dimensions, so that a misspelt name is nearer to its own than to another', () => {
    const query = embedder.embedQuery('Kieslovski', 768);
    const own = embedder.embedQuery('Kieslowski', 768);
    const plain = dot(embedder.embedQuery('Kieslovski', 384), embedder.embedQuery('Kieslowski', 384));
    expect(dot(query, own)).toBeGreaterThan(dot(query, embedder.embedQuery('Almodovar', 768)));
    expect(dot(query.subarray(384), own.subarray(384))).toBeGreaterThan(0);
    expect(plain).toBeLessThan(1);
  });

  it('lets a title count beyond its share of the words', () => {
    const text = 'The plot follows several families through a long war and its aftermath. '.repeat(20);
    const title = 'Submarine';
    const query = embedder.embedQuery('submarine', 384);
    expect(dot(query, documentVector(title, text, 384))).toBeGreaterThan(
      dot(query, documentVector('', `${title}. ${text}`, 384)) + 0.1,
    );
  });

  it('reads a megabyte without a space as one unknown word', () => {
    expect(embedder.tokenIds('x'.repeat(1_000_000))).toEqual([100]);
    expect(embedder.tokenIds('word '.repeat(200_000))).toHaveLength(512);
  });
});
