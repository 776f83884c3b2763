/** How often terms stand one behind the other in texts. Linear in the texts, of which only words that may go on with the phrase are looked up. */
import type { Steps } from '../steps.ts';
import { tokenOf, tokenParts } from '../text/analyzer.ts';
import { WordSpans } from '../text/word-spans.ts';
import type { LexicalIndex } from './lexical-index.ts';

/** Units of a text, or a document, that is looked at without a pause, and of a longer one parts. */
export const unitsAtOnce = 8_192;
const partsAtOnce = 16;
/** Units of a text that are read before it is asked whether that is enough. */
const partUnits = 256;
/** Words whose terms a phrase remembers. */
const tokensMax = 4_096;
const none: readonly number[] = [];

/** The words of the text that is looked at. */
const spans = new WordSpans();

const ASCII = 0x80;
/** Letters in lower case; digits have this bit. */
const LOWER = 0x20;

export class Phrase {
  readonly #index: LexicalIndex;
  readonly #terms: readonly number[];
  /** Where a stem begins as its words do most words of a text need no look-up; null: it may begin otherwise. */
  readonly #firstUnits: ReadonlySet<number> | null;
  /** The same by ASCII character, where folding only lower-cases these; and of the first term alone. */
  readonly #asciiFirsts: Uint8Array | null;
  readonly #asciiStarts: Uint8Array | null;
  readonly #termOfToken = new Map<string, number>();
  /** How many of the terms, from the first, end at the last word: one entry a beginning that is open. */
  #open: readonly number[] = none;

  constructor(index: LexicalIndex, terms: readonly number[]) {
    this.#index = index;
    this.#terms = terms;
    const { analyzer, dictionary } = index;
    const firstUnits = analyzer.isStemBeginning
      ? terms.map((term) => dictionary.textOf(term).charCodeAt(0))
      : null;
    this.#firstUnits = firstUnits && new Set(firstUnits);
    const isAsciiPlain = analyzer.words.isAsciiPlain;
    this.#asciiFirsts = isAsciiPlain ? asciiFirsts(firstUnits) : null;
    this.#asciiStarts = isAsciiPlain ? asciiFirsts(firstUnits?.slice(0, 1) ?? null) : null;
  }

  /** Counts on until there are `most`. */
  *countIn(texts: string[], most: number): Steps<number> {
    let count = 0;
    for (const text of texts) {
      this.#open = none;
      count += text.length > unitsAtOnce ? yield* this.#countInLong(text) : this.#countIn(text, most - count);
      if (count >= most) break;
    }
    return count;
  }

  /** The same of short texts in one go. */
  countAtOnce(texts: string[], most: number): number {
    let count = 0;
    for (const text of texts) {
      this.#open = none;
      count += this.#countIn(text, most - count);
      if (count >= most) break;
    }
    return count;
  }

  *#countInLong(text: string): Steps<number> {
    let count = 0;
    let parts = 0;
    for (const tokens of tokenParts(text, this.#index.analyzer.words)) {
      for (const token of tokens) count += this.#take(token);
      parts += 1;
      if (parts % partsAtOnce === 0) yield;
    }
    return count;
  }

  /** No string is made of a word that neither begins the phrase nor goes on with it: with one for each, phrases took a tenth of all searches. */
  #countIn(text: string, most: number): number {
    spans.begin(text);
    // Where one is enough most texts are not read to their end.
    const units = most === 1 ? partUnits : text.length;
    let count = 0;
    for (let isMore = true; isMore && count < most; ) {
      isMore = spans.readOn(units);
      count += this.#countRead(text);
    }
    return count;
  }

  #countRead(text: string): number {
    const { bounds, bytes } = spans;
    const firsts = bytes === null ? null : this.#asciiFirsts;
    const starts = bytes === null ? null : this.#asciiStarts;
    let count = 0;
    for (let i = 0; i < spans.count; i += 1) {
      const first = bytes === null ? 0 : (bytes[bounds[2 * i] ?? 0] ?? 0) | LOWER;
      if ((this.#open.length === 0 ? starts : firsts)?.[first] === 0) {
        this.#open = none;
        continue;
      }
      const token = tokenOf(text, spans, i, this.#index.analyzer.words);
      if (token !== '') count += this.#take(token);
    }
    return count;
  }

  /** 1 where the phrase ends with this word. */
  #take(token: string): number {
    const open = this.#open;
    const mayMatch = this.#firstUnits?.has(token.charCodeAt(0)) !== false;
    if (!mayMatch && open.length === 0) return 0;
    const term = mayMatch ? this.#termOf(token) : -1;
    if (open.length === 0 && this.#terms[0] !== term) return 0;
    const grown = [0, ...open].filter((held) => this.#terms[held] === term).map((held) => held + 1);
    this.#open = grown.filter((held) => held < this.#terms.length);
    return grown.length > this.#open.length ? 1 : 0;
  }

  /** The same few words come again and again. */
  #termOf(token: string): number {
    const known = this.#termOfToken.get(token);
    if (known !== undefined) return known;
    const term = this.#index.dictionary.termForQuery(token);
    if (this.#termOfToken.size < tokensMax) this.#termOfToken.set(token, term);
    return term;
  }
}

/** By ASCII character: whether words may begin so. */
function asciiFirsts(units: readonly number[] | null): Uint8Array | null {
  return units && Uint8Array.from({ length: ASCII }, (_, unit) => Number(units.includes(unit)));
}
