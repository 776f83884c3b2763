import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { isPauseDue, type Steps } from '#server/engine/steps.ts';
import { weightOf } from '#server/wire/weight-of.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { WritableCollection } from '../indexes.ts';
import { fieldValues } from '../write/field-values.ts';

/**
 * What of a document is embedded: its prose, in order, the title apart because it counts extra. Addresses, dates and codes say nothing to
 * a language model and would only dilute the rest.
 */

const titleNames = ['title', 'name'];
/** Of a document. The model reads far less; this bounds what is copied to its thread. */
export const embeddedCharactersMax = 65_536;

const addressBeginning = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)/i;
const space = /\s/;
const number = /^[\d\s.,:;/+-]*$/;
const dateAndTime = /^\d{4}-\d{2}-\d{2}[T ]\d/;
/** A single run without spaces that is not a plain word: an identifier, a hash, a file name. */
const code = /^(?=\S*[\d_@#$%\\|{}<>=:])\S+$/;

/** Read without a look at the clock, in units of `weightOf`. */
const readAtOnce = 16_384;

/** A string of the document in the text. */
export interface TextPart {
  /** Of its field; elements of a list share it. */
  path: string;
  start: number;
  end: number;
}

export interface PlacedText extends EmbeddingText {
  /** In order, without gaps but for the line's end between two; the title is in none. */
  parts: TextPart[];
}

/** Null: nothing to embed. */
export function* embeddingText(
  collection: Pick<WritableCollection, 'metadata'>,
  document: StoredDocument,
): Steps<PlacedText | null> {
  const chosen = collection.metadata?.embed?.fields;
  const title = titleOf(document, chosen);
  const prose = new Prose(chosen !== undefined);
  if (chosen) {
    const values = yield* fieldValues(document, chosen);
    for (const name of chosen) {
      if (name === title?.name) continue;
      for (const value of values.get(name) ?? []) yield* prose.take(value, name);
    }
  } else {
    for (const [name, value] of Object.entries(document)) {
      if (name !== 'id' && name !== title?.name) yield* prose.take(value, name);
    }
  }
  const text = prose.texts.join('\n');
  return title || text ? { title: title?.value ?? '', text, parts: prose.parts } : null;
}

/** The texts in values that are embedded, in their order, until there is no room. */
class Prose {
  readonly texts: string[] = [];
  readonly parts: TextPart[] = [];
  readonly #isChosen: boolean;
  #length = 0;

  constructor(isChosen: boolean) {
    this.#isChosen = isChosen;
  }

  /** What is large is entered, what is small is read at once. */
  *take(value: unknown, path: string): Steps<void> {
    if (this.#isFull) return;
    const weight = weightOf(value, readAtOnce);
    if (weight <= readAtOnce || typeof value !== 'object' || value === null) this.#takeAtOnce(value, path);
    else for (const [at, member] of membersOf(value, path)) yield* this.take(member, at);
    if (isPauseDue(weight)) yield;
  }

  get #isFull(): boolean {
    return this.#length >= embeddedCharactersMax;
  }

  #takeAtOnce(value: unknown, path: string): void {
    if (this.#isFull) return;
    if (typeof value === 'string') this.#takeText(value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [at, member] of membersOf(value, path)) this.#takeAtOnce(member, at);
  }

  #takeText(text: string, path: string): void {
    if (!this.#isChosen && !isProse(text)) return;
    const taken = text.slice(0, embeddedCharactersMax - this.#length);
    const start = this.#length;
    this.texts.push(taken);
    this.parts.push({ path, start, end: start + taken.length });
    this.#length += taken.length + 1;
  }
}

/** As `walkDocument` names them. */
function* membersOf(value: object, path: string): Generator<[path: string, member: unknown]> {
  if (Array.isArray(value)) for (const member of value) yield [path, member];
  else for (const [name, member] of Object.entries(value)) yield [`${path}.${name}`, member];
}

function titleOf(document: StoredDocument, chosen: string[] | undefined) {
  for (const name of titleNames) {
    const value = document[name];
    if (typeof value === 'string' && value.trim() !== '' && (!chosen || chosen.includes(name))) {
      return { name, value: value.slice(0, embeddedCharactersMax) };
    }
  }
  return null;
}

/** By as much of it as would be embedded. */
export function isProse(text: string): boolean {
  const trimmed = text.trim().slice(0, embeddedCharactersMax);
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
