import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Rotation } from './rotation.ts';
import { StaticEmbedder } from './static-embedder.ts';
import { loadStaticTable } from './static-table.ts';
import { WordPiece } from './word-piece.ts';

const directory = 'models/static-embeddings';
let embedder: StaticEmbedder;
let rotation: Rotation;

beforeAll(async () => {
  const table = await loadStaticTable(directory);
  embedder = new StaticEmbedder(table);
  rotation = new Rotation(table);
});

const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

function documentVector(title: string, text: string, dimension: number): Float32Array {
  const out = new Float32Array(dimension);
  embedder.embedDocument({ title, text }, out);
  return out;
}

describe('StaticEmbedder', () => {
  it('gives the reference its tokens and components', async () => {
    const golden: { text: string; ids: number[]; first8: number[]; rotated8: number[] }[] = JSON.parse(
      await readFile(`${directory}/golden.json`, 'utf8'),
    );
    expect(golden.length).toBeGreaterThan(8);
    for (const { text, ids, first8, rotated8 } of golden) {
      expect(embedder.tokenIds(text)).toEqual(ids);
      const vector = embedder.embedQuery(text, 384);
      first8.forEach((expected, i) => {
        expect(vector[i]).toBeCloseTo(expected, 5);
      });
      const rotated = embedder.embedQuery(text, 64, true);
      rotated8.forEach((expected, i) => {
        expect(rotated[i]).toBeCloseTo(expected, 5);
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

  describe('in fewer components', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 100 });
    const pair = fc.tuple(fc.lorem({ maxCount: 12 }), words);

    it('rotates before it cuts, or cuts what there is; in no fewer the two are the same to the bit', () => {
      fc.assert(
        fc.property(words, fc.constantFrom(1, 7, 64, 128, 256, 383), (text, dimension) => {
          const whole = embedder.embedQuery(text, 384);
          const unit = (part: Float32Array) =>
            [...part].map((x) => expect.closeTo(x / (lengthOf(part) || 1), 5));
          const rotated = rotation.turn(whole, 384);
          expect([...embedder.embedQuery(text, dimension)]).toEqual(unit(whole.subarray(0, dimension)));
          expect([...embedder.embedQuery(text, dimension, true)]).toEqual(
            unit(rotated.subarray(0, dimension)),
          );
          for (const more of [384, 385, 768])
            expect(embedder.embedQuery(text, more, true)).toEqual(embedder.embedQuery(text, more));
        }),
        { numRuns: 30 },
      );
    });

    it('keeps products when it rotates, and most of them when it cuts then', () => {
      fc.assert(
        fc.property(pair, ([one, other]) => {
          const [a, b] = [embedder.embedQuery(one, 384), embedder.embedQuery(other, 384)];
          expect(dot(rotation.turn(a, 384), rotation.turn(b, 384))).toBeCloseTo(dot(a, b), 5);
        }),
        { numRuns: 100 },
      );
      const texts = [
        'space travel to other planets',
        'heat transfer in a boundary layer',
        'red leather boots',
      ];
      const vectors = texts.map((text) => embedder.embedQuery(text, 384));
      const energyOf = (parts: Float32Array[]) =>
        parts.reduce((sum, part) => sum + lengthOf(part) ** 2, 0) / parts.length;
      for (const kept of [64, 128, 256]) {
        const rotated = energyOf(vectors.map((vector) => rotation.turn(vector, kept)));
        expect(rotated).toBeGreaterThan(energyOf(vectors.map((vector) => vector.subarray(0, kept))) + 0.1);
      }
    });

    it('gives a query and a document of the same text the same vector', () => {
      fc.assert(
        fc.property(pair, fc.constantFrom(64, 128, 256), ([text], dimension) => {
          const out = new Float32Array(dimension);
          embedder.embedDocument({ title: '', text }, out, true);
          expect(dot(embedder.embedQuery(text, dimension, true), out)).toBeCloseTo(1, 5);
          expect(embedder.readQuery(text).toVector(dimension, true)).toEqual(out);
        }),
        { numRuns: 100 },
      );
    });
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
