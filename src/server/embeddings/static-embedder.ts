import { addGrams } from './character-grams.ts';
import type { EmbeddingText } from './embedder.ts';
import type { StaticTable } from './static-table.ts';
import { type Word, WordPiece } from './word-piece.ts';

/** Names the space and how it is filled up beyond 384 dimensions: a change of either is a new id. */
export const staticModelId = 'static-minilm-384-1';

/** Weight of the n-gram part against the model's own (see the table's README). */
const gramsWeight = 0.3;

/**
 * Texts → vectors by the static table; the maths is in `models/static-embeddings/README.md`. Pure and single-threaded: the worker and the
 * main thread each have one.
 */
export class StaticEmbedder {
  readonly #table: StaticTable;
  readonly #wordPiece: WordPiece;
  readonly #rowLengths: Float32Array;
  readonly #sums: Float64Array;

  constructor(table: StaticTable) {
    this.#table = table;
    this.#sums = new Float64Array(table.dims);
    this.#wordPiece = new WordPiece(table.tokens);
    this.#rowLengths = rowLengths(table);
  }

  /** @returns `dimension` components of unit length, or all zero where the text has nothing the model knows */
  embedQuery(text: string, dimension: number): Float32Array {
    return shape(this.#pool(text, dimension), this.#table.dims, dimension);
  }

  /** Writes a document's vector at `offset`. */
  embedDocument({ title, text }: EmbeddingText, dimension: number, out: Float32Array, offset: number): void {
    const { dims, titleWeight } = this.#table;
    if (title.trim() === '') {
      out.set(this.embedQuery(text, dimension), offset);
      return;
    }
    const whole = this.#pool(`${title}. ${text}`, dimension);
    addScaled(whole, this.#pool(title, dimension), titleWeight, dims);
    out.set(shape(whole, dims, dimension), offset);
  }

  /** Token ids of a text, for checks against the reference. */
  tokenIds(text: string): number[] {
    return this.#wordPiece.words(text, this.#table.tokensMax).flatMap((word) => word.pieces);
  }

  /** The model's components and, beyond them, the n-grams, each part of unit length or zero. */
  #pool(text: string, dimension: number): Float32Array {
    const { dims, tokensMax } = this.#table;
    const out = new Float32Array(Math.max(dims, dimension));
    // Doubles: adding to singles converts there and back for every term.
    const sums = this.#sums.fill(0);
    for (const [word, times] of countWords(this.#wordPiece.words(text, tokensMax))) {
      let longest = 0;
      for (const id of word.pieces) {
        this.#addRow(sums, id, times);
        longest = Math.max(longest, this.#rowLengths[id] ?? 0);
      }
      // A word outside the vocabulary weighs as much as a middling row.
      if (dimension > dims && !word.isPunctuation) addGrams(out, dims, word.text, times * (longest || 1));
    }
    out.set(sums);
    normalise(out, 0, dims);
    normalise(out, dims, out.length);
    return out;
  }

  #addRow(sums: Float64Array, id: number, times: number): void {
    const { dims, rows, scales, zeroRows } = this.#table;
    if (zeroRows.includes(id)) return;
    const scale = times * (scales[id] ?? 0);
    const start = id * dims;
    // Four at a time: the plain loop takes twice as long, and this is most of what embedding costs.
    const whole = dims & ~3;
    let i = 0;
    for (; i < whole; i += 4) {
      const row = start + i;
      sums[i] = (sums[i] ?? 0) + scale * (rows[row] ?? 0);
      sums[i + 1] = (sums[i + 1] ?? 0) + scale * (rows[row + 1] ?? 0);
      sums[i + 2] = (sums[i + 2] ?? 0) + scale * (rows[row + 2] ?? 0);
      sums[i + 3] = (sums[i + 3] ?? 0) + scale * (rows[row + 3] ?? 0);
    }
    for (; i < dims; i++) sums[i] = (sums[i] ?? 0) + scale * (rows[start + i] ?? 0);
  }
}

/** A third of a text's words are repetitions; adding a row once with its count saves their time. Equal words are the same object. */
function countWords(words: Word[]): Map<Word, number> {
  const counts = new Map<Word, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function rowLengths({ dims, rows, scales }: StaticTable): Float32Array {
  return scales.map((scale, row) => {
    let sum = 0;
    for (let i = row * dims; i < (row + 1) * dims; i++) sum += (rows[i] ?? 0) ** 2;
    return scale * Math.sqrt(sum);
  });
}

/** Adds a title's parts to a document's; each part is brought to unit length again. */
function addScaled(out: Float32Array, title: Float32Array, weight: number, dims: number): void {
  for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + weight * (title[i] ?? 0);
  normalise(out, 0, dims);
  normalise(out, dims, out.length);
}

/** Cuts or weighs the parts to the dimension asked for. */
function shape(pooled: Float32Array, dims: number, dimension: number): Float32Array {
  if (dimension <= dims) {
    const cut = pooled.subarray(0, dimension);
    if (dimension < dims) normalise(cut, 0, dimension);
    return cut;
  }
  for (let i = dims; i < dimension; i++) pooled[i] = (pooled[i] ?? 0) * gramsWeight;
  normalise(pooled, 0, dimension);
  return pooled;
}

function normalise(vector: Float32Array, from: number, to: number): void {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (vector[i] ?? 0) ** 2;
  if (sum === 0) return;
  const factor = 1 / Math.sqrt(sum);
  for (let i = from; i < to; i++) vector[i] = (vector[i] ?? 0) * factor;
}
