/**
 * Which words of a document count as matches of a query: those that share a term with a word of the query or with a variant that
 * counted; the words of a synonym of several words only where these stand one behind the other. Made for the hits of one page, and only if there are any: a prefix can stand for thousands of terms.
 *
 * Each different word is looked up once. Most are ruled out before that by what they begin with (`word-beginnings.ts`).
 */
import { isPauseDue, type Steps } from '../steps.ts';
import type { ExactTerms } from './exact-terms.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PostingCursor } from './posting-cursor.ts';
import { fieldOf } from './posting-forms.ts';
import type { QueryWord } from './query-words.ts';
import { WordBeginnings } from './word-beginnings.ts';

/**
 * To look for a hit in a list is worth it where the hit has so many bytes: it takes as long as to look for words in a quarter of them. Beyond
 * `listsMax` lists it never is.
 */
const lookBytes = 1_024;
const listsMax = 256;
/** Of work, to look for a hit in a list. */
const lookUnits = 4;
/** Of so many terms it is kept what their words begin with. */
const keptMin = 256;
/** By the terms of a beginning, which are kept as well (`exact-terms.ts`). */
const beginningsOf = new WeakMap<Int32Array, WordBeginnings>();
const NONE = -1;

/** The words of a text that have numbers, in its order; only the first `count` elements count. */
interface FoundWords {
  count: number;
  /** Which word of the text it is. */
  places: Int32Array;
  numbers: Int32Array;
}

export class MatchedWords {
  readonly #index: LexicalIndex;
  /** The words' own terms and those of their neighbours and of synonyms of one word. */
  readonly #terms: ReadonlySet<number>;
  /** Synonyms of several words, and their terms. */
  readonly #phrases: readonly number[][];
  readonly #phraseTerms: ReadonlySet<number>;
  /** Of the words that stand for longer ones, too. */
  readonly #prefixes: readonly ExactTerms[];
  /** By folded word: its number among the matched ones met so far, −1: it does not match. */
  readonly #numbers = new Map<string, number>();
  /** By number. */
  readonly #termOf: number[] = [];
  readonly #beginnings = new WordBeginnings();

  private constructor(index: LexicalIndex, words: QueryWord[], quoted: readonly number[][]) {
    this.#index = index;
    const asked = [...words.flatMap(({ synonyms }) => synonyms.map(({ terms }) => terms)), ...quoted];
    const terms = words.flatMap(({ exact, neighbours, isQuoted }) => [
      // A word in quotation marks is one where its phrase stands.
      ...(isQuoted ? [] : [exact.own]),
      ...neighbours.map(({ term }) => term),
    ]);
    for (const [only = NONE, ...rest] of asked) if (rest.length === 0) terms.push(only);
    const phrases = asked.filter((each) => each.length > 1 && !each.includes(NONE));
    // A synonym of several words of the query is one of each.
    this.#phrases = [...new Map(phrases.map((phrase) => [phrase.join(), phrase])).values()];
    this.#phraseTerms = new Set(phrases.flat());
    this.#terms = new Set(terms.filter((term) => term !== NONE));
    this.#prefixes = words.map(({ exact }) => exact).filter(({ longer }) => longer.length > 0);
  }

  /** `quoted`: the terms of each phrase that the query demands. */
  static *of(index: LexicalIndex, words: QueryWord[], quoted: readonly number[][] = []): Steps<MatchedWords> {
    const matched = new MatchedWords(index, words, quoted);
    const beginnings = matched.#beginnings;
    if (!index.analyzer.isStemBeginning) {
      beginnings.admitAll();
      return matched;
    }
    const { dictionary } = index;
    yield* beginnings.admit(dictionary, matched.#terms);
    yield* beginnings.admit(dictionary, matched.#phraseTerms);
    for (const { longer } of matched.#prefixes) {
      if (longer.length < keptMin) {
        yield* beginnings.admit(dictionary, longer);
        continue;
      }
      const known = beginningsOf.get(longer);
      const kept = known ?? new WordBeginnings();
      if (known === undefined) yield* kept.admit(dictionary, longer);
      beginningsOf.set(longer, kept);
      beginnings.admitThoseOf(kept);
    }
    return matched;
  }

  /** The number of a folded word, −1: it does not match. */
  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const term = this.#index.dictionary.termForQuery(word);
    const isMatch = this.#isMatch(term) || this.#phraseTerms.has(term);
    const number = isMatch ? this.#termOf.push(term) - 1 : NONE;
    this.#numbers.set(word, number);
    return number;
  }

  /** Of the words of a text that have numbers, leaves out those that match as part of a phrase alone and stand in none. */
  dropLoose(found: FoundWords): void {
    if (this.#phrases.length === 0) return;
    const isKept = Array.from({ length: found.count }, (_, i) => this.#isMatch(this.#termAt(found, i)));
    for (let i = 0; i < found.count; i += 1) {
      for (const phrase of this.#phrases) {
        if (this.#standsAt(phrase, found, i)) isKept.fill(true, i, i + phrase.length);
      }
    }
    let kept = 0;
    for (let i = 0; i < found.count; i += 1) {
      if (!isKept[i]) continue;
      found.places[kept] = found.places[i] ?? 0;
      found.numbers[kept] = found.numbers[i] ?? 0;
      kept += 1;
    }
    found.count = kept;
  }

  #standsAt(phrase: number[], found: FoundWords, first: number): boolean {
    if (first + phrase.length > found.count) return false;
    const start = found.places[first] ?? 0;
    return phrase.every(
      (term, i) => found.places[first + i] === start + i && this.#termAt(found, first + i) === term,
    );
  }

  #termAt({ numbers }: FoundWords, i: number): number {
    return this.#termOf[numbers[i] ?? 0] ?? NONE;
  }

  mayMatch(bytes: Uint8Array, start: number, length: number): boolean {
    return this.#beginnings.mayMatch(bytes, start, length);
  }

  get firsts(): Uint8Array {
    return this.#beginnings.firsts;
  }

  /**
   * For each of the ordinals the fields in which it has a matched word, in no order; null for one that may have some in fields that
   * cannot be told apart, and for all where the words have too many lists. `bytes`: of all these documents.
   */
  *fieldsOf(ordinals: Int32Array, bytes: number): Steps<(string[] | null)[]> {
    const worthMax = bytes / Math.max(1, ordinals.length) / lookBytes;
    if (this.#listCount() > Math.min(listsMax, worthMax)) return Array.from(ordinals, () => null);
    const sorted = ordinals.toSorted();
    const heldByField = yield* this.#heldByField(sorted);
    return Array.from(ordinals, (ordinal) => {
      const place = sorted.indexOf(ordinal);
      const names: string[] = [];
      for (const [field, held] of heldByField) {
        if (held[place] !== 1) continue;
        const name = this.#index.fieldNamed(field);
        if (name === null) return null;
        names.push(name);
      }
      return names;
    });
  }

  /** By field number: 1 for the ordinals that have a matched word there. */
  *#heldByField(sorted: Int32Array): Steps<Map<number, Uint8Array>> {
    const { postings } = this.#index;
    const { forms } = postings;
    const cursor = new PostingCursor(postings);
    const heldByField = new Map<number, Uint8Array>();
    for (const term of this.#allTerms()) {
      const list = postings.listOf(term);
      if (list < 0) continue;
      cursor.open(list);
      for (let i = 0; i < sorted.length && cursor.advance(sorted[i] ?? 0); i += 1) {
        if (cursor.ordinal !== sorted[i]) continue;
        const { form } = cursor;
        for (let place = forms.start(form); place < forms.end(form); place += 1) {
          const field = fieldOf(forms.partAt(place));
          const held = heldByField.get(field) ?? new Uint8Array(sorted.length);
          heldByField.set(field, held);
          held[i] = 1;
        }
        if (isPauseDue(forms.end(form) - forms.start(form))) yield;
      }
      if (isPauseDue(sorted.length * lookUnits)) yield;
    }
    return heldByField;
  }

  #listCount(): number {
    const ofPrefixes = this.#prefixes.reduce((sum, { longer }) => sum + longer.length, 0);
    return this.#terms.size + this.#phraseTerms.size + ofPrefixes;
  }

  /** Some of them twice, if several words stand for them. */
  *#allTerms(): Generator<number, void, void> {
    yield* this.#terms;
    yield* this.#phraseTerms;
    for (const { longer } of this.#prefixes) yield* longer;
  }

  #isMatch(term: number): boolean {
    return this.#terms.has(term) || this.#prefixes.some((prefix) => prefix.has(term));
  }
}
