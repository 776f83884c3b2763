import { addGrams } from './character-grams.ts';
import type { EmbeddingText } from './embedder.ts';
import { Rotation } from './rotation.ts';
import type { StaticTable } from './static-table.ts';
import { unknownToken, type Word, WordPiece } from './word-piece.ts';

/** Names the space and how it is filled up beyond 384 dimensions: a change of either is a new id. */
export const staticModelId = 'static-minilm-384-1';
/** The same turned by the table's rotation before it is cut: a space of its own. */
export const rotatedModelId = `${staticModelId}-rotated`;

/** Weight of the n-gram part against the model's own (see the table's README). */
const gramsWeight = 0.3;

const plainWord = /^[a-z\d]+$/i;

/** What a text says before it is cut or filled up to a dimension. */
interface ReadText {
  /** The model's components, of unit length or zero. */
  model: Float32Array;
  /** The words whose n-grams count beyond them, and how much. */
  words: string[];
  weights: number[];
}

/** What reads a text as a whole, in the table's space. */
export interface TextModel {
  /** Of the first so many tokens. */
  tokensMax: number;
  titleWeight: number;
  /** Token ids → components of unit length; all zero without a token. */
  embed(ids: readonly number[]): Float32Array;
}

/**
 * Texts → vectors by the static table; the maths is in `models/static-embeddings/README.md`. Pure and single-threaded: the worker and the
 * main thread each have one. With a model, the table's components are that one's: what is beyond them stays the table's. Vectors of fewer components
 * than the table's are the first of these, or with `isRotated` of what they are rotated to; of others it changes nothing.
 */
export class StaticEmbedder {
  readonly #table: StaticTable;
  readonly #model: TextModel | null;
  readonly #wordPiece: WordPiece;
  readonly #rowLengths: Float32Array;
  readonly #sums: Float64Array;
  #rotation: Rotation | null = null;

  constructor(table: StaticTable, model: TextModel | null = null) {
    this.#table = table;
    this.#model = model;
    this.#sums = new Float64Array(table.dims);
    this.#wordPiece = new WordPiece(table.tokens);
    this.#rowLengths = rowLengths(table);
  }

  /** @returns `dimension` components of unit length, or all zero where the text has nothing the model knows */
  embedQuery(text: string, dimension: number, isRotated = false): Float32Array {
    return this.#shape(this.#pool(text, dimension), dimension, isRotated);
  }

  /** The text is read once, for whatever dimensions. */
  readQuery(text: string): { toVector(dimension: number, isRotated?: boolean): Float32Array } {
    const read = this.#read(text);
    const { dims } = this.#table;
    return {
      toVector: (dimension, isRotated = false) =>
        this.#shape(pooled(read, dims, dimension), dimension, isRotated),
    };
  }

  /** Fills `out` with a document's vector. */
  embedDocument({ title, text }: EmbeddingText, out: Float32Array, isRotated = false): void {
    const { dims } = this.#table;
    const { titleWeight } = this.#model ?? this.#table;
    const dimension = out.length;
    if (title.trim() === '') {
      out.set(this.embedQuery(text, dimension, isRotated));
      return;
    }
    const whole = this.#pool(`${title}. ${text}`, dimension);
    addScaled(whole, this.#pool(title, dimension), titleWeight, dims);
    out.set(this.#shape(whole, dimension, isRotated));
  }

  /** As an embedder's. */
  knowsWord(word: string): boolean {
    // Each search asks it of its words: to cut them takes two to three times as long.
    if (plainWord.test(word)) return this.#wordPiece.isPiece(word);
    const [only, ...others] = this.#wordPiece.words(word, 2);
    const [piece, ...further] = only?.pieces ?? [];
    return piece !== undefined && piece !== unknownToken && others.length + further.length === 0;
  }

  /** Token ids of a text, for checks against the reference. */
  tokenIds(text: string): number[] {
    return this.#wordPiece.words(text, this.#table.tokensMax).flatMap((word) => word.pieces);
  }

  #pool(text: string, dimension: number): Float32Array {
    return pooled(this.#read(text), this.#table.dims, dimension);
  }

  #read(text: string): ReadText {
    const { dims, tokensMax } = this.#table;
    const read: ReadText = { model: new Float32Array(dims), words: [], weights: [] };
    // Doubles: adding to singles converts there and back for every term.
    const sums = this.#sums.fill(0);
    for (const { word, times } of countWords(this.#wordPiece.words(text, tokensMax))) {
      let longest = 0;
      for (const id of word.pieces) {
        this.#addRow(sums, id, times);
        longest = Math.max(longest, this.#rowLengths[id] ?? 0);
      }
      // A word outside the vocabulary weighs as much as a middling row.
      if (word.isPunctuation) continue;
      read.words.push(word.text);
      read.weights.push(times * (longest || 1));
    }
    if (this.#model)
      return { ...read, model: this.#model.embed(this.#knownIds(text, this.#model.tokensMax)) };
    read.model.set(sums);
    normalise(read.model, 0, dims);
    return read;
  }

  /** None where all tokens are unknown: what a model makes of such a text is noise. */
  #knownIds(text: string, tokensMax: number): number[] {
    const ids = this.#wordPiece.words(text, tokensMax).flatMap((word) => word.pieces);
    return ids.every((id) => this.#table.zeroRows.includes(id)) ? [] : ids;
  }

  /** Cuts or weighs the parts to the dimension asked for. */
  #shape(pooled: Float32Array, dimension: number, isRotated: boolean): Float32Array {
    const { dims } = this.#table;
    if (dimension === dims) return pooled;
    if (dimension < dims) {
      const kept = isRotated ? this.#rotated(pooled, dimension) : pooled.subarray(0, dimension);
      normalise(kept, 0, dimension);
      return kept;
    }
    for (let i = dims; i < dimension; i++) pooled[i] = (pooled[i] ?? 0) * gramsWeight;
    normalise(pooled, 0, dimension);
    return pooled;
  }

  #rotated(vector: Float32Array, dimension: number): Float32Array {
    // Most threads have no collection that needs it.
    this.#rotation ??= new Rotation(this.#table);
    return this.#rotation.turn(vector, dimension);
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

/** The model's components and, beyond them, the n-grams, each part of unit length or zero. */
function pooled({ model, words, weights }: ReadText, dims: number, dimension: number): Float32Array {
  const out = new Float32Array(Math.max(dims, dimension));
  out.set(model);
  if (dimension <= dims) return out;
  for (const [i, word] of words.entries()) addGrams(out, dims, word, weights[i] ?? 0);
  normalise(out, dims, out.length);
  return out;
}

/** A third of a text's words are repetitions; adding a row once with its count saves their time. */
function countWords(words: Word[]): Iterable<{ word: Word; times: number }> {
  const counts = new Map<string, { word: Word; times: number }>();
  for (const word of words) {
    const known = counts.get(word.text);
    // The last word may have been cut: it has fewer pieces then.
    if (known?.word.pieces.length === word.pieces.length) known.times += 1;
    else counts.set(known ? `${word.text} cut` : word.text, { word, times: 1 });
  }
  return counts.values();
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

function normalise(vector: Float32Array, from: number, to: number): void {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (vector[i] ?? 0) ** 2;
  if (sum === 0) return;
  const factor = 1 / Math.sqrt(sum);
  for (let i = from; i < to; i++) vector[i] = (vector[i] ?? 0) * factor;
}
