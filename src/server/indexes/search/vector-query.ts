import { type AppError, badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchParameters } from '#shared/search.ts';
import type { CollectionHandle } from '../indexes.ts';
import { checkLength } from '../write/document.ts';

/** The caller's own query vector and what came with it. */
export interface VectorQuery {
  /** Null: only `k` or a threshold was sent; the words are embedded. */
  vector: Float32Array | null;
  k: number | null;
  distanceThreshold: number | null;
}

type Given = NonNullable<SearchParameters['vector_query']>;
const path = 'vector_query';

/**
 * The three forms: numbers, `{vector, k, distance_threshold}`, or the text `embedding:([0.1, 0.2], k:10, distance_threshold:0.4)`; a text
 * may also be either of the others as JSON, since a query string has no other way to send them.
 * @throws AppError BAD_REQUEST with the path, and the position within a text
 */
export function parseVectorQuery(collection: CollectionHandle, given: Given | undefined): VectorQuery | null {
  if (given === undefined) return null;
  if (typeof given === 'string') return checked(collection, new TextForm(given).parse());
  if (Array.isArray(given)) return checked(collection, { vector: given });
  return checked(collection, given);
}

interface Parts {
  vector?: number[] | undefined;
  k?: number | undefined;
  distance_threshold?: number | undefined;
}

function checked(collection: CollectionHandle, { vector, k, distance_threshold }: Parts): VectorQuery {
  if (k !== undefined && !(Number.isInteger(k) && k >= 1 && k <= limits.neighboursMax)) {
    throw badRequest(path, `k must be a whole number from 1 to ${limits.neighboursMax}`);
  }
  return {
    vector: vector && vector.length > 0 ? toVector(collection, vector) : null,
    k: k ?? null,
    distanceThreshold: distance_threshold ?? null,
  };
}

function toVector({ dimension, metric }: CollectionHandle, numbers: number[]): Float32Array {
  if (numbers.length !== dimension) {
    throw badRequest(
      path,
      `must have ${dimension} numbers, one a dimension of this collection; it has ${numbers.length}`,
    );
  }
  const vector = Float32Array.from(numbers);
  const bad = vector.findIndex((component) => !Number.isFinite(component));
  if (bad !== -1) throw badRequest(`${path}.${bad}`, 'must be a finite number');
  checkLength(vector, metric, path);
  return vector;
}

const numberPattern = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const namePattern = /[A-Za-z_][\w.]*/y;

/** Reads the text form from left to right; the place it stopped at is the fault's position. */
class TextForm {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Parts {
    this.#skipSpaces();
    const parts =
      this.#peek() === '{'
        ? this.#object()
        : this.#peek() === '['
          ? { vector: this.#numbers() }
          : this.#call();
    this.#skipSpaces();
    if (this.#at < this.#text.length) throw this.#expected('the end');
    return parts;
  }

  #call(): Parts {
    const name = this.#match(namePattern);
    if (name === null) throw this.#expected('"embedding:([…], k:…)" or a list of numbers in brackets');
    if (name !== 'embedding')
      throw this.#fault(this.#at - name.length, 'expected "embedding", the only vector field');
    this.#take(':');
    this.#take('(');
    return this.#options(')', { vector: this.#peekAfterSpaces() === '[' ? this.#numbers() : undefined });
  }

  #object(): Parts {
    this.#take('{');
    return this.#options('}', {});
  }

  /** `, k: 10, distance_threshold: 0.3` up to the closing mark; names may stand in quotes. */
  #options(close: string, parts: Parts): Parts {
    let isFirst = parts.vector === undefined;
    for (;;) {
      this.#skipSpaces();
      if (this.#peek() === close) break;
      if (!isFirst) this.#take(',');
      isFirst = false;
      this.#option(parts);
    }
    this.#take(close);
    return parts;
  }

  #option(parts: Parts): void {
    this.#skipSpaces();
    const isQuoted = this.#peek() === '"';
    if (isQuoted) this.#at += 1;
    const start = this.#at;
    const name = this.#match(namePattern);
    if (isQuoted) this.#take('"');
    this.#take(':');
    if (name === 'vector') parts.vector = this.#numbers();
    else if (name === 'k' || name === 'distance_threshold') parts[name] = this.#number();
    else throw this.#fault(start, 'expected vector, k or distance_threshold');
  }

  #numbers(): number[] {
    this.#take('[');
    const numbers: number[] = [];
    for (;;) {
      this.#skipSpaces();
      if (numbers.length === 0 && this.#peek() === ']') break;
      numbers.push(this.#number());
      if (numbers.length > limits.dimensionMax)
        throw this.#expected(`at most ${limits.dimensionMax} numbers`);
      this.#skipSpaces();
      if (this.#peek() !== ',') break;
      this.#at += 1;
    }
    this.#take(']');
    return numbers;
  }

  #number(): number {
    this.#skipSpaces();
    const text = this.#match(numberPattern);
    if (text === null) throw this.#expected('a number');
    return Number(text);
  }

  #take(mark: string): void {
    this.#skipSpaces();
    if (this.#peek() !== mark) throw this.#expected(`"${mark}"`);
    this.#at += 1;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #peekAfterSpaces(): string {
    this.#skipSpaces();
    return this.#peek();
  }

  #skipSpaces(): void {
    while (/\s/.test(this.#peek())) this.#at += 1;
  }

  #expected(what: string): AppError {
    return this.#fault(this.#at, `expected ${what}`);
  }

  #fault(position: number, message: string): AppError {
    return badRequest(path, `${message} at position ${position}`, position);
  }
}
