import type { TextModel } from '../static-embedder.ts';
import type { Kernels } from './kernels.ts';
import type { Layer, Matrix, Scratch, TransformerModel } from './transformer-model.ts';

/** What documents have in the record whose vectors it made. */
export const transformerModelId = 'minilm-l6-384-1';

const headColumns = 32;
/** [CLS] and [SEP], which stand around every text. */
const firstToken = 101;
const lastToken = 102;

/**
 * all-MiniLM-L6-v2: tokens → a vector of unit length. Six layers of attention and a perceptron (BERT; Devlin et al., 2019), then the mean of
 * the rows. One text at a time, in room of its own: about 10.6 million products a token, and 4,600 a pair of tokens.
 */
export class Transformer implements TextModel {
  readonly tokensMax: number;
  readonly titleWeight: number;
  readonly #kernels: Kernels;
  readonly #model: TransformerModel;
  readonly #scratch: Scratch;
  readonly #floats: Float32Array;
  readonly #words: Uint8Array;

  constructor(kernels: Kernels, model: TransformerModel, scratch: Scratch) {
    this.#kernels = kernels;
    this.#model = model;
    // Beside [CLS] and [SEP].
    this.tokensMax = model.tokensMax - 2;
    this.titleWeight = model.titleWeight;
    this.#scratch = scratch;
    this.#floats = new Float32Array(model.memory.buffer);
    this.#words = new Uint8Array(model.memory.buffer, model.words);
  }

  /**
   * `ids`: of the text's tokens, without [CLS] and [SEP]; what is beyond the most tokens is left out.
   * @returns dims components of unit length, or all zero where there is no token
   */
  embed(ids: readonly number[]): Float32Array {
    const { dims } = this.#model;
    const sums = new Float64Array(dims);
    if (ids.length === 0) return new Float32Array(dims);
    let last: Float32Array = new Float32Array(0);
    for (const rows of this.layers(ids)) last = rows;
    for (let i = 0; i < last.length; i++) sums[i % dims] = (sums[i % dims] ?? 0) + (last[i] ?? 0);
    const length = Math.sqrt(sums.reduce((sum, x) => sum + x * x, 0));
    return Float32Array.from(sums, (x) => x / length);
  }

  /** A row for each token, first before all layers and then after each: the same memory each time. */
  *layers(ids: readonly number[]): Generator<Float32Array> {
    const { dims, layers } = this.#model;
    const tokens = [firstToken, ...ids.slice(0, this.tokensMax), lastToken];
    const from = this.#scratch.hidden / 4;
    const rows = this.#floats.subarray(from, from + tokens.length * dims);
    this.#readTokens(tokens);
    yield rows;
    for (const layer of layers) {
      this.#attend(layer, tokens.length);
      this.#think(layer, tokens.length);
      yield rows;
    }
  }

  #readTokens(tokens: number[]): void {
    const { dims, norm, positions, wordScale, wordZero } = this.#model;
    const { hidden, summed } = this.#scratch;
    tokens.forEach((id, row) => {
      const to = summed / 4 + row * dims;
      for (let i = 0; i < dims; i++) {
        this.#floats[to + i] = wordScale * ((this.#words[id * dims + i] ?? 0) - wordZero);
      }
    });
    this.#kernels.normalise(summed, positions, tokens.length, dims, norm.weight, norm.bias, hidden);
  }

  #attend({ attention, attentionOut, attentionNorm: norm }: Layer, rows: number): void {
    const { dims, heads } = this.#model;
    const { hidden, projected, context, summed, weights } = this.#scratch;
    this.#multiply(hidden, attention, rows, projected);
    for (let head = 0; head < heads; head++) {
      const queries = projected + 4 * headColumns * head;
      const keys = queries + 4 * dims;
      const out = context + 4 * headColumns * head;
      this.#kernels.attend(queries, keys, keys + 4 * dims, 12 * dims, rows, weights, out, 4 * dims);
    }
    this.#multiply(context, attentionOut, rows, summed);
    this.#kernels.normalise(summed, hidden, rows, dims, norm.weight, norm.bias, hidden);
  }

  #think({ inner, out, norm }: Layer, rows: number): void {
    const { dims } = this.#model;
    const scratch = this.#scratch;
    this.#multiply(scratch.hidden, inner, rows, scratch.inner);
    this.#kernels.gelu(scratch.inner, 4 * rows * inner.outputs);
    this.#multiply(scratch.inner, out, rows, scratch.summed);
    this.#kernels.normalise(
      scratch.summed,
      scratch.hidden,
      rows,
      dims,
      norm.weight,
      norm.bias,
      scratch.hidden,
    );
  }

  /** Rows beyond those that count, up to a multiple of four, are whatever lies there. */
  #multiply(input: number, { inputs, outputs, ...matrix }: Matrix, rows: number, out: number): void {
    const { quantised, scales } = this.#scratch;
    this.#kernels.quantise(input, rows, inputs, quantised, scales);
    const fours = Math.ceil(rows / 4) * 4;
    this.#kernels.multiply(
      quantised,
      scales,
      fours,
      inputs,
      matrix.weights,
      outputs,
      matrix.scales,
      matrix.bias,
      out,
    );
  }
}
