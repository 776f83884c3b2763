import { hash } from 'node:crypto';
import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import { weightOf } from '#server/wire/weight-of.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { fieldValues } from './field-values.ts';

/**
 * What of a document is embedded: its prose, in order, the title apart because it counts extra. Addresses, dates and codes say nothing to
 * a language model and would only dilute the rest.
 */

const titleNames = ['title', 'name'];
/** The model reads far less; this bounds what is copied to its thread. */
const textCharactersMax = 65_536;

const addressBeginning = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)/i;
const space = /\s/;
const number = /^[\d\s.,:;/+-]*$/;
const dateAndTime = /^\d{4}-\d{2}-\d{2}[T ]\d/;
/** A single run without spaces that is not a plain word: an identifier, a hash, a file name. */
const code = /^(?=\S*[\d_@#$%\\|{}<>=:])\S+$/;

/** Read without a look at the clock, in units of `weightOf`. */
const readAtOnce = 16_384;

/** Null: nothing to embed. */
export function* embeddingText(
  collection: WritableCollection,
  document: StoredDocument,
): Steps<EmbeddingText | null> {
  const chosen = collection.metadata?.embed?.fields;
  const title = titleOf(document, chosen);
  const prose = new Prose(chosen !== undefined);
  if (chosen) {
    const values = yield* fieldValues(document, chosen);
    for (const name of chosen) if (name !== title?.name) yield* prose.takeAll(values.get(name) ?? []);
  } else {
    for (const [name, value] of Object.entries(document)) {
      if (name !== 'id' && name !== title?.name) yield* prose.take(value);
    }
  }
  const text = prose.parts.join('\n');
  return title || text ? { title: title?.value ?? '', text } : null;
}

/** The texts in values that are embedded, in their order, until there is no room. */
class Prose {
  readonly parts: string[] = [];
  readonly #isChosen: boolean;
  #room = textCharactersMax;

  constructor(isChosen: boolean) {
    this.#isChosen = isChosen;
  }

  *takeAll(values: Iterable<unknown>): Steps<void> {
    for (const value of values) {
      if (this.#room <= 0) return;
      yield* this.take(value);
    }
  }

  /** What is large is entered, what is small is read at once. */
  *take(value: unknown): Steps<void> {
    const weight = weightOf(value, readAtOnce);
    if (weight <= readAtOnce || typeof value !== 'object' || value === null) this.#takeAtOnce(value);
    else yield* this.takeAll(Object.values(value));
    if (isPauseDue(weight)) yield;
  }

  #takeAtOnce(value: unknown): void {
    if (this.#room <= 0) return;
    if (typeof value === 'string') this.#takeText(value);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) this.#takeAtOnce(item);
  }

  #takeText(text: string): void {
    if (!this.#isChosen && !isProse(text)) return;
    this.parts.push(text.slice(0, this.#room));
    this.#room -= text.length + 1;
  }
}

function titleOf(document: StoredDocument, chosen: string[] | undefined) {
  for (const name of titleNames) {
    const value = document[name];
    if (typeof value === 'string' && value.trim() !== '' && (!chosen || chosen.includes(name))) {
      return { name, value: value.slice(0, textCharactersMax) };
    }
  }
  return null;
}

/** By as much of it as would be embedded. */
export function isProse(text: string): boolean {
  const trimmed = text.trim().slice(0, textCharactersMax);
  if (trimmed === '') return false;
  return !(isAddress(trimmed) || number.test(trimmed) || dateAndTime.test(trimmed) || code.test(trimmed));
}

/** Of a web page, of a person or of a file. Without patterns that try each of many dots or slashes: a text may have megabytes of them. */
function isAddress(text: string): boolean {
  if (addressBeginning.test(text)) return true;
  return !space.test(text) && (isEmail(text) || isPath(text));
}

function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  // A dot with something on both sides.
  return at > 0 && text.indexOf('@', at + 1) < 0 && text.slice(at + 2, -1).includes('.');
}

const isPath = (text: string): boolean => '/~.'.includes(text.charAt(0)) && text.indexOf('/', 1) > 0;

/** SHA-256 of everything a vector depends on: equal hashes, equal vectors. */
export function contentHash(modelId: string, dimension: number, text: EmbeddingText | null): Uint8Array {
  return hash('sha256', JSON.stringify([modelId, dimension, text?.title, text?.text]), 'buffer');
}

/** SHA-256 of a caller's own vector. */
export function vectorHash(vector: Float32Array): Uint8Array {
  return hash('sha256', new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), 'buffer');
}
