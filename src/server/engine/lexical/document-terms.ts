/**
 * The terms of one document, and how often each stands in which field: gathered field by field, read term by term. Arrays over all terms
 * there are, as for `Occurrences`, which are used again by the next document.
 */
import { withRoom } from '../memory/with-room.ts';
import { stepUnits } from '../steps.ts';
import { fieldOf, makePart, withOneMore } from './posting-forms.ts';

export class DocumentTerms {
  /** By term: the entry of the last field it was met in, + 1; 0: not met. */
  #entryOf = new Int32Array(64);
  #terms = new Int32Array(64);
  #size = 0;
  /** By entry: a field and the frequency there; the term's entry before it, + 1. */
  #parts = new Uint32Array(64);
  #before = new Int32Array(64);
  #entries = 0;
  /** The parts of the term that was read last, ascending by field. */
  parts = new Uint32Array(64);

  /** Different terms. */
  get size(): number {
    return this.#size;
  }

  /** Parts of all terms together. */
  get partCount(): number {
    return this.#entries;
  }

  /** The fields come one after the other. `mark`: of the term's word that stands there. */
  add(term: number, field: number, mark: number): void {
    if (term >= this.#entryOf.length) this.#entryOf = withRoom(this.#entryOf, term + 1);
    const known = this.#entryOf[term] ?? 0;
    const part = known === 0 ? 0 : (this.#parts[known - 1] ?? 0);
    if (known > 0 && fieldOf(part) === field) {
      this.#parts[known - 1] = withOneMore(part, mark);
      return;
    }
    const entry = this.#entries;
    this.#entries += 1;
    this.#parts = withRoom(this.#parts, this.#entries);
    this.#before = withRoom(this.#before, this.#entries);
    this.#parts[entry] = makePart(field, 1, mark);
    this.#before[entry] = known;
    this.#entryOf[term] = entry + 1;
    if (known > 0) return;
    this.#terms = withRoom(this.#terms, this.#size + 1);
    this.#terms[this.#size] = term;
    this.#size += 1;
  }

  has(term: number): boolean {
    return term < this.#entryOf.length && (this.#entryOf[term] ?? 0) > 0;
  }

  /** In the order in which they were met first. */
  termAt(place: number): number {
    return this.#terms[place] ?? 0;
  }

  /** Puts the parts of a term into `parts`; answers how many they are. */
  readParts(term: number): number {
    let count = 0;
    let isAscending = true;
    for (let entry = this.#entryOf[term] ?? 0; entry > 0; entry = this.#before[entry - 1] ?? 0) {
      const part = this.#parts[entry - 1] ?? 0;
      this.parts = withRoom(this.parts, count + 1);
      if (count > 0 && part > (this.parts[count - 1] ?? 0)) isAscending = false;
      this.parts[count] = part;
      count += 1;
    }
    // From the last field to the first: in most documents that is descending.
    if (count > 1) this.parts.subarray(0, count).reverse();
    if (!isAscending) this.parts.subarray(0, count).sort();
    return count;
  }

  /** Forgets the last ones, so many at most without a pause; empty when `size` is 0. */
  clearSome(): void {
    const left = Math.max(0, this.#size - stepUnits);
    for (let place = left; place < this.#size; place += 1) this.#entryOf[this.termAt(place)] = 0;
    this.#size = left;
    if (left === 0) this.#entries = 0;
  }
}

/** Kept when their documents are done. More are only needed while several indexes take in documents. */
const sparesMax = 4;
const spares: DocumentTerms[] = [];

export function takeDocumentTerms(): DocumentTerms {
  return spares.pop() ?? new DocumentTerms();
}

/** They must be cleared. */
export function giveBackDocumentTerms(terms: DocumentTerms): void {
  if (spares.length < sparesMax) spares.push(terms);
}
