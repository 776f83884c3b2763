/**
 * Where several terms stand one behind the other in one text of a searched field. The index knows no places of words, so the documents that
 * hold all the terms are read: their characters times the cost of cutting them into words. That is bounded by a budget for all phrases of a search,
 * counted, so that the same search gets the same answer on every machine.
 */
import { Bitset } from '../bits/bitset.ts';
import { parseJson } from '../documents/parse-json.ts';
import { textsAtOnce, textsByField } from '../documents/text-fields.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import { WorkBudget } from '../work-budget.ts';
import type { KeptByUse } from './kept-by-use.ts';
import type { KeptPhrase, PhraseHolders } from './kept-phrase.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { Phrase, unitsAtOnce } from './phrase.ts';
import { PostingCursor, visitBlocks } from './posting-cursor.ts';

/** Bytes of all phrases that an index keeps, and of one beside its holders, about. */
const keptBytesMax = 1 << 20;
const keptBytes = 256;
/** Where a search gives weights to more fields, what they are takes as long to tell as a phrase. */
const keptFieldsMax = 32;

export interface SearchedDocuments {
  live: Bitset;
  /** Ordinals there are. */
  capacity: number;
  sourceOf(ordinal: number): string;
  sourceBytesOf(ordinal: number): number;
}

const noFrequencies = new Float64Array(0);
const nobody: PhraseHolders = { ordinals: new Int32Array(0), frequencies: noFrequencies };

/** What documents are to hold, or not to hold: a phrase or a single term. */
export interface Demand {
  terms: number[];
  isExcluded: boolean;
}

interface PhraseParts {
  lexical: LexicalIndex;
  documents: SearchedDocuments;
  /** By field number; null: every field at 1. */
  weights: Float64Array | null;
  /** What was found before, of these documents as they are; null: they are not all that the index has. */
  kept: KeptByUse<KeptPhrase> | null;
}

/** Units of work a character: to parse it, and to cut it into words; and to look up how many bytes a document has. */
const characterUnits = 10;
/** Of UTF-8, of a UTF-16 unit. */
const bytesMax = 3;
const lengthUnits = 4;
/** As a posting's. */
const frequencyMax = 255;
/** What it costs to look for a document in a list, in postings that are read one after the other, and in units of work. */
const lookPostings = 32;
const lookUnits = 64;

export class PhraseFinder {
  readonly #parts: PhraseParts;
  readonly #fields: string[] | null;
  readonly #budget: WorkBudget;
  /** Words are looked at several times while it is decided how a query is read. */
  readonly #known = new Map<string, PhraseHolders>();
  readonly #keptPhrases: KeptByUse<KeptPhrase> | null;
  /** What they are kept by beside their terms. */
  readonly #keptAs: string;

  constructor(parts: PhraseParts, { fields }: Pick<SearchQuery, 'fields'>, budget = new WorkBudget('words')) {
    this.#parts = parts;
    this.#budget = budget;
    this.#fields = fields?.map(({ name }) => name) ?? null;
    const { weights, kept } = parts;
    const isKept = (weights?.length ?? 0) <= keptFieldsMax;
    this.#keptPhrases = isKept ? kept : null;
    this.#keptAs = isKept && kept !== null ? `${weights?.join() ?? ''} ` : '';
  }

  /** What was found before is found again, and costs what it did: a search is refused or not whoever was there before it. @throws TooDearError */
  *find(terms: number[]): Steps<PhraseHolders> {
    const key = terms.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const kept = this.#kept(key);
    const found = kept?.holders ?? (yield* this.#findAnew(terms));
    if (kept?.holders) this.#budget.spend(kept.units);
    this.#known.set(key, found);
    return found;
  }

  *#findAnew(terms: number[]): Steps<PhraseHolders> {
    const ordinals: number[] = [];
    const frequencies: number[] = [];
    const phrase = new Phrase(this.#parts.lexical, terms);
    const holding = yield* (yield* this.#holdingAll(terms)).ordinals();
    const { left } = this.#budget;
    yield* this.#refuseTooMany(holding);
    for (const ordinal of holding) {
      const frequency = yield* this.#frequencyIn(ordinal, phrase);
      if (frequency === 0) continue;
      ordinals.push(ordinal);
      frequencies.push(frequency);
    }
    const holders = { ordinals: Int32Array.from(ordinals), frequencies: Float64Array.from(frequencies) };
    this.#keep(terms.join(), { holders, units: left - this.#budget.left });
    return holders;
  }

  #kept(key: string): KeptPhrase | undefined {
    return this.#keptPhrases?.get(this.#keptAs + key);
  }

  #keep(key: string, found: Partial<KeptPhrase>): void {
    if (this.#keptPhrases === null) return;
    const kept = { holders: null, units: 0, characters: null, ...this.#kept(key), ...found };
    const { ordinals, frequencies } = kept.holders ?? nobody;
    const bytes = keptBytes + ordinals.byteLength + frequencies.byteLength;
    this.#keptPhrases.put(this.#keptAs + key, { ...kept, bytes }, keptBytesMax);
  }

  /** Living documents that hold a phrase, or a single term; −1: a term that nobody holds. @throws TooDearError */
  *holding(terms: number[]): Steps<Bitset> {
    const { capacity } = this.#parts.documents;
    const holding = new Bitset(capacity);
    if (terms.includes(-1)) return holding;
    if (terms.length === 1) return yield* this.#holdingAll(terms);
    for (const ordinal of (yield* this.find(terms)).ordinals) holding.add(ordinal);
    return holding;
  }

  /**
   * Those of `among` that have all demands. Only documents that hold all words of all phrases are read, and for each phrase those that have the ones before it: a
   * phrase for itself is read in all that hold its words. Found again as phrases are. @throws TooDearError
   */
  *meeting(demands: readonly Demand[], among: Bitset): Steps<Bitset> {
    const key = demands.map(({ terms, isExcluded }) => `${isExcluded ? '-' : '+'}${terms.join()}`).join();
    const kept = this.#kept(key);
    const { capacity } = this.#parts.documents;
    if (kept?.holders) {
      this.#budget.spend(kept.units);
      const known = new Bitset(capacity);
      for (const ordinal of kept.holders.ordinals) known.add(ordinal);
      return known;
    }
    const wanted = demands.filter(({ isExcluded }) => !isExcluded);
    if (wanted.some(({ terms }) => terms.includes(-1))) return new Bitset(capacity);
    const words = wanted.flatMap(({ terms }) => terms);
    const met = among.clone();
    if (words.length > 0) met.and(yield* this.#holdingAll(words));
    let units = 0;
    for (const { terms } of wanted) if (terms.length > 1) units += yield* this.#keepHolding(terms, met);
    for (const { terms } of demands.filter(({ isExcluded }) => isExcluded)) {
      if (terms.includes(-1)) continue;
      const excluded = (yield* this.#holdingAll(terms)).and(met);
      if (terms.length > 1) units += yield* this.#keepHolding(terms, excluded);
      met.andNot(excluded);
    }
    const ordinals = yield* met.ordinals();
    this.#keep(key, { holders: { ordinals, frequencies: noFrequencies }, units });
    return met;
  }

  /** Whether a living document holds a phrase, or a single term. @throws TooDearError */
  *holds(terms: number[], ordinal: number): Steps<boolean> {
    if (terms.includes(-1)) return false;
    const one = new Bitset(this.#parts.documents.capacity);
    one.add(ordinal);
    one.and(yield* this.#holdingAll(terms));
    if (terms.length > 1) yield* this.#keepHolding(terms, one);
    return one.has(ordinal);
  }

  /** Keeps those that hold a phrase, of some that hold its terms. @returns units of work */
  *#keepHolding(terms: number[], among: Bitset): Steps<number> {
    const phrase = new Phrase(this.#parts.lexical, terms);
    const ordinals = yield* among.ordinals();
    const { left } = this.#budget;
    yield* this.#refuseTooMany(ordinals);
    for (const ordinal of ordinals)
      if ((yield* this.#frequencyIn(ordinal, phrase, 1)) === 0) among.remove(ordinal);
    return left - this.#budget.left;
  }

  /** Before any of them is parsed: what would be refused in the end is refused at once. Only where bytes do not tell are characters counted. @throws TooDearError */
  *#refuseTooMany(ordinals: Int32Array): Steps<void> {
    const { documents } = this.#parts;
    const { left } = this.#budget;
    let bytes = 0;
    for (const ordinal of ordinals) {
      bytes += documents.sourceBytesOf(ordinal);
      if (isPauseDue(lengthUnits)) yield;
    }
    if (bytes * characterUnits <= left) return;
    const leastUnits = Math.ceil(bytes / bytesMax) * characterUnits;
    if (leastUnits > left) this.#budget.spend(leastUnits);
    let units = 0;
    for (const ordinal of ordinals) {
      const { length } = documents.sourceOf(ordinal);
      units += length * characterUnits;
      if (units > left) this.#budget.spend(units);
      if (isPauseDue(length)) yield;
    }
  }

  /** Of the documents that would be read for a phrase, as UTF-8 bytes; counted until they are more than `most`. */
  *charactersOf(terms: number[], most: number): Steps<number> {
    const key = terms.join();
    const known = this.#kept(key)?.characters;
    if (known?.most === most) return known.count;
    const count = yield* this.#countCharacters(terms, most);
    this.#keep(key, { characters: { count, most } });
    return count;
  }

  *#countCharacters(terms: number[], most: number): Steps<number> {
    let characters = 0;
    for (const ordinal of yield* (yield* this.#holdingAll(terms)).ordinals()) {
      const length = this.#parts.documents.sourceBytesOf(ordinal);
      characters += length;
      if (characters > most) break;
      if (isPauseDue(length)) yield;
    }
    return characters;
  }

  /** Through the shortest list, or if that is not much shorter than the others through all. */
  *#holdingAll(terms: number[]): Steps<Bitset> {
    const { documents, lexical } = this.#parts;
    const { postings } = lexical;
    const distinct = [...new Set(terms)];
    const lengthOf = (term: number) => postings.lengthOf(postings.listOf(term));
    if (distinct.every((term) => postings.listOf(term) >= 0)) {
      const [shortest = -1, ...others] = distinct.toSorted((a, b) => lengthOf(a) - lengthOf(b));
      const inOthers = others.reduce((sum, term) => sum + lengthOf(term), 0);
      if (lengthOf(shortest) * others.length * lookPostings < inOthers)
        return yield* this.#holdingAmong(shortest, others);
    }
    const all = documents.live.clone();
    for (const term of distinct) {
      const holding = new Bitset(documents.capacity);
      yield* this.#addHolders(term, holding);
      all.and(holding);
    }
    return all;
  }

  /** Those that hold a term and the others. Each term has a list. */
  *#holdingAmong(term: number, others: number[]): Steps<Bitset> {
    const { documents, lexical, weights } = this.#parts;
    const { postings } = lexical;
    const cursors = others.map((other) => new PostingCursor(postings).open(postings.listOf(other)));
    const among = new Bitset(documents.capacity);
    yield* this.#addHolders(term, among);
    const all = new Bitset(documents.capacity);
    for (const ordinal of yield* among.and(documents.live).ordinals()) {
      const holdsAll = cursors.every((cursor) => {
        const isThere = cursor.advance(ordinal) && cursor.ordinal === ordinal;
        return isThere && postings.forms.frequency(cursor.form, weights) > 0;
      });
      if (holdsAll) all.add(ordinal);
      if (isPauseDue(cursors.length * lookUnits)) yield;
    }
    return all;
  }

  #addHolders(term: number, holding: Bitset): Steps<void> {
    const { postings } = this.#parts.lexical;
    const { weights } = this.#parts;
    return visitBlocks(postings, postings.listOf(term), ({ count, ordinals, forms }) => {
      for (let i = 0; i < count; i += 1)
        if (postings.forms.frequency(forms[i] ?? 0, weights) > 0) holding.add(ordinals[i] ?? 0);
    });
  }

  /** `most`: of a text it is counted no further. */
  *#frequencyIn(ordinal: number, phrase: Phrase, most = frequencyMax): Steps<number> {
    const source = this.#parts.documents.sourceOf(ordinal);
    const units = source.length * characterUnits;
    this.#budget.spend(units);
    const isSmall = source.length <= unitsAtOnce;
    // A generator for each part of a small document costs more than the part.
    const byField = isSmall
      ? textsAtOnce(JSON.parse(source) as Record<string, unknown>, this.#fields)
      : yield* textsByField((yield* parseJson(source)) as Record<string, unknown>, this.#fields);
    let frequency = 0;
    for (const [field, texts] of byField) {
      const weight = this.#weightOf(this.#parts.lexical.fieldNumber(field));
      if (!(weight > 0)) continue;
      const count = isSmall ? phrase.countAtOnce(texts, most) : yield* phrase.countIn(texts, most);
      frequency += weight * Math.min(most, count);
      if (frequency > 0 && most === 1) break;
    }
    if (isPauseDue(units)) yield;
    return frequency;
  }

  #weightOf(field: number): number {
    return this.#parts.weights === null ? 1 : (this.#parts.weights[field] ?? 0);
  }
}
