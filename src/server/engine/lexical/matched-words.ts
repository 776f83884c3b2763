/**
 * Which words of a document count as matches of a query: those that share a term with a word of the query or with a variant that
 * counted; the words of a synonym of several words only where these stand one behind the other. Made for the hits of one page, and only if there are any: a prefix can stand for thousands of terms.
 *
 * Each different word is looked up once. Most are ruled out before that by their first three letters and their length: a stem is not longer
 * than the word, and shares with it all letters but its own last two.
 */
import { isPauseDue, type Steps, stepUnits } from '../steps.ts';
import type { ExactTerms } from './exact-terms.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PostingCursor } from './posting-cursor.ts';
import { fieldOf } from './posting-forms.ts';
import type { QueryWord } from './query-words.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** Beyond this many lists, looking into all fields of the hits costs less than looking for the hits in all lists. */
const listsMax = 256;
/** Of work, to look for a hit in a list. */
const lookUnits = 4;
/** Letters at the end of a stem that its words may have otherwise. */
const changedMax = 2;
const BEGINNINGS = 1 << 12;
const NEVER = 255;
/** Of so many terms it is kept what their words begin with. */
const keptMin = 256;
/** By the terms of a beginning, which are kept as well (`exact-terms.ts`). */
const lettersMinOf = new WeakMap<Int32Array, Uint8Array>();
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
  /** By the first three letters of a word: how many it must have to match. */
  readonly #lettersMin = new Uint8Array(BEGINNINGS).fill(NEVER);

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
    if (!index.analyzer.isStemBeginning) {
      matched.#lettersMin.fill(0);
      return matched;
    }
    const { dictionary } = index;
    const own = matched.#lettersMin;
    for (const terms of [matched.#terms, matched.#phraseTerms]) yield* admitAll(dictionary, terms, own);
    for (const { longer } of matched.#prefixes) {
      const known = lettersMinOf.get(longer);
      const lettersMin = known ?? new Uint8Array(BEGINNINGS).fill(NEVER);
      if (known === undefined) yield* admitAll(dictionary, longer, lettersMin);
      if (longer.length >= keptMin) lettersMinOf.set(longer, lettersMin);
      for (const [beginning, least] of lettersMin.entries())
        if (least < (own[beginning] ?? 0)) own[beginning] = least;
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

  /** Whether a word of ASCII letters and digits in either case may match; its bytes stand at `start`. */
  mayMatch(bytes: Uint8Array, start: number, length: number): boolean {
    // A word of one or two letters can only be as long as its term, which leaves all letters open.
    const second = length > 1 ? (bytes[start + 1] ?? 0) : 0;
    const third = length > 2 ? (bytes[start + 2] ?? 0) : 0;
    const beginning = beginningOf(bytes[start] ?? 0, second, third);
    return length >= (this.#lettersMin[beginning] ?? NEVER);
  }

  /**
   * For each of the ordinals the fields in which it has a matched word, in no order; null for one that may have some in fields that
   * cannot be told apart, and for all where the words have too many lists.
   */
  *fieldsOf(ordinals: Int32Array): Steps<(string[] | null)[]> {
    const sorted = ordinals.toSorted();
    const heldByField = yield* this.#heldByField(sorted);
    return Array.from(ordinals, (ordinal) => {
      const place = sorted.indexOf(ordinal);
      const names: string[] = [];
      for (const [field, held] of heldByField ?? []) {
        if (held[place] !== 1) continue;
        const name = this.#index.fieldNamed(field);
        if (name === null) return null;
        names.push(name);
      }
      return heldByField === null ? null : names;
    });
  }

  /** By field number: 1 for the ordinals that have a matched word there. */
  *#heldByField(sorted: Int32Array): Steps<Map<number, Uint8Array> | null> {
    const { postings } = this.#index;
    const { forms } = postings;
    const cursor = new PostingCursor(postings);
    const heldByField = new Map<number, Uint8Array>();
    const ofPrefixes = this.#prefixes.reduce((sum, { longer }) => sum + longer.length, 0);
    if (this.#terms.size + this.#phraseTerms.size + ofPrefixes > listsMax) return null;
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

function* admitAll(dictionary: TermDictionary, terms: Iterable<number>, lettersMin: Uint8Array): Steps<void> {
  let units = 0;
  for (const term of terms) {
    units += admit(dictionary.bytesOf(term), lettersMin);
    if (units < stepUnits) continue;
    units = 0;
    yield;
  }
}

/** Letters of the word that the term does not tell may be any. Answers how many beginnings that are. */
function admit(term: Uint8Array, lettersMin: Uint8Array): number {
  const known = term.length - changedMax;
  const first = term[0] ?? 0;
  const seconds = known >= 2 ? [term[1] ?? 0] : fiveBits;
  const thirds = known >= 3 ? [term[2] ?? 0] : fiveBits;
  for (const second of seconds) {
    for (const third of thirds) {
      const beginning = beginningOf(first, second, third);
      if (term.length < (lettersMin[beginning] ?? NEVER)) lettersMin[beginning] = term.length;
    }
  }
  return seconds.length * thirds.length;
}

/** A letter that may be any. */
const fiveBits = Array.from({ length: 32 }, (_, bits) => bits);

/** Five bits of each letter, the same in both cases, folded to twelve; that some beginnings share a number does no harm. */
function beginningOf(first: number, second: number, third: number): number {
  const bits = ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
  return (bits ^ (bits >>> 3)) & (BEGINNINGS - 1);
}
