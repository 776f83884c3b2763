/**
 * Gathers how often documents hold any of several terms: adds up frequencies by ordinal, and reads them in order at the end. Only what was
 * touched is cleared. Cost: the postings, and a bit for each ordinal there is.
 */
import { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { MergedHolders } from './holder-list.ts';
import type { PhraseHolders } from './kept-phrase.ts';
import { blockPostings, type Postings } from './postings.ts';

/** Of work, to come to a list. */
const listUnits = 16;

interface Scope {
  postings: Postings;
  /** Documents that count; null: all. */
  live: Bitset | null;
  capacity: number;
  /** By field number; null: every field at 1. */
  weights: Float64Array | null;
  scratch: SearchScratch;
}

export class HolderSums {
  readonly #scope: Scope;
  /** Zero but for `documents`. */
  readonly #frequencies: Float64Array;
  readonly #ordinals = new Int32Array(blockPostings);
  readonly #forms = new Int32Array(blockPostings);
  /** Living documents that hold any of the terms so far. */
  readonly documents: Bitset;
  /** How many they are. */
  count = 0;

  /** Must be cleared before the scratch is used again. */
  constructor(scope: Scope) {
    this.#scope = scope;
    this.#frequencies = scope.scratch.numbers('frequencies', scope.capacity);
    this.documents = new Bitset(scope.capacity);
  }

  /** Terms whose frequencies count so much, in documents from an ordinal on. */
  *add(terms: Iterable<number>, share: number, from = 0): Steps<void> {
    const { postings } = this.#scope;
    if (share === 0) return;
    for (const term of terms) {
      const list = postings.listOf(term);
      const blocks = list < 0 ? 0 : postings.blocksOf(list);
      for (
        let block = from === 0 || blocks === 0 ? 0 : postings.seek(list, 0, from);
        block < blocks;
        block += 1
      ) {
        const count = postings.readOrdinals(list, block, this.#ordinals);
        postings.readForms(list, block, this.#forms);
        if (isPauseDue(this.#addBlock(count, share, from))) yield;
      }
      if (isPauseDue(listUnits)) yield;
    }
  }

  /** Documents with frequencies of their own. */
  *addEach({ ordinals, frequencies }: PhraseHolders, share: number): Steps<void> {
    for (const [i, ordinal] of ordinals.entries()) {
      this.#addOne(ordinal, share * (frequencies[i] ?? 0));
      if (isPauseDue(1)) yield;
    }
  }

  frequencyOf(ordinal: number): number {
    return this.#frequencies[ordinal] ?? 0;
  }

  /** `wayOf`: how a document holds them, `held`, or how all do. */
  *merged(wayOf: ((ordinal: number) => number) | number): Steps<MergedHolders> {
    const ordinals = new Int32Array(this.count);
    const frequencies = new Float64Array(this.count);
    const ways = typeof wayOf === 'number' ? wayOf : new Uint8Array(this.count);
    let place = 0;
    yield* this.documents.visit((ordinal) => {
      ordinals[place] = ordinal;
      frequencies[place] = this.#frequencies[ordinal] ?? 0;
      if (typeof wayOf !== 'number' && typeof ways !== 'number') ways[place] = wayOf(ordinal);
      place += 1;
    });
    return new MergedHolders(ordinals, frequencies, ways);
  }

  /** All that was touched is zero again. In one go: a search that is ended has no more steps. */
  clear(): void {
    const frequencies = this.#frequencies;
    this.documents.forEach((ordinal) => {
      frequencies[ordinal] = 0;
    });
  }

  /** Answers how much work it was. */
  #addBlock(count: number, share: number, from: number): number {
    const { live, weights, postings } = this.#scope;
    const { forms } = postings;
    let units = 2 * count;
    for (let i = 0; i < count; i += 1) {
      const ordinal = this.#ordinals[i] ?? 0;
      if (ordinal < from || live?.has(ordinal) === false) continue;
      const form = this.#forms[i] ?? 0;
      if (weights !== null) units += forms.end(form) - forms.start(form);
      const frequency = share * forms.frequency(form, weights);
      if (frequency > 0) this.#addOne(ordinal, frequency);
    }
    return units;
  }

  #addOne(ordinal: number, frequency: number): void {
    const { words } = this.documents;
    const word = words[ordinal >>> 5] ?? 0;
    const bit = 1 << (ordinal & 31);
    if ((word & bit) === 0) {
      words[ordinal >>> 5] = word | bit;
      this.count += 1;
    }
    this.#frequencies[ordinal] = (this.#frequencies[ordinal] ?? 0) + frequency;
  }
}
