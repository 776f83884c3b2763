/**
 * Words of a text that its letters and digits alone do not tell: `XJ-200` is `xj200` too, `C++` and `.NET` are words of their own, `4,5` is
 * the number `4.5`. They stand beside the words that `word-spans.ts` finds, which stay as they are.
 *
 * An emoji is a word.
 *
 * A run is words with one joining character between two. All its words in one are another word; a run of numbers (`4.5`, `2.0.1`) or of
 * letters around `&` (`AT&T`), and a word with its symbols, mean something that their parts do not: they are `whole`. Linear in the text: a
 * character or two beside each word are looked at, and a run of more words than `partsMax` is none.
 */
import { tokenCharactersMax, type WordRules, wordAt } from './word-rules.ts';
import { isSpacedAt, type WordSpans } from './word-spans.ts';

export interface OtherWord {
  word: string;
  /** UTF-16 offsets. */
  start: number;
  end: number;
  /** Which of the text's words it is made of; `last` before `first`: it stands before that word, made of none. */
  first: number;
  last: number;
  /** `joined`: the words in one, which mean the same. `whole`: it means what its words alone do not. `part`: some of it. */
  kind: 'joined' | 'whole' | 'part';
}

/** Words of a run; beyond it there is no word that anybody types. */
const partsMax = 8;
/** Letters of each part of `AT&T`. */
const initialsMax = 2;

interface Part {
  start: number;
  end: number;
}

const HASH = 0x23;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const COMMA = 0x2c;
const DOT = 0x2e;
const joining = new Set([..."-\u2010\u2011'\u2019_.,&+/@:\\"].map((each) => each.charCodeAt(0)));
/** Of those, the ASCII ones. */
const isJoining = Uint8Array.from({ length: 128 }, (_, code) => Number(joining.has(code)));
/** What stands between these means more than one thing: a path, an address. */
const parting = new Set([...'/@:\\'].map((each) => each.charCodeAt(0)));
const opensWord = /[\s([{"'`]/;
const version = /^v?\d+(?:[.,]\d+)+[a-z]{0,3}$/;
const thousands = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/** Takes the words of a text one after the other, and tells the others that stand beside them. */
export class OtherWords {
  readonly #rules: WordRules;
  readonly #text: string;
  /** Of the run that is open: starts and ends. Most runs are one word, and cost no object. */
  readonly #bounds = new Int32Array(2 * partsMax);
  #place = -1;
  #lastEnd = -1;
  /** How many words the run has, also of those that are not kept. */
  #count = 0;
  #found: OtherWord[] = [];

  constructor(text: string, rules: WordRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** The next words of the text, as they were read. */
  takeAll({ bounds, count, emoji }: WordSpans): void {
    const before = this.#place + 1;
    for (let i = 0; i < count; i += 1) this.#take(bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0);
    for (const { start, end, wordsBefore } of emoji) {
      const first = before + wordsBefore;
      this.#add(asEmoji(this.#text.slice(start, end)), { start, end }, [first, first - 1], 'whole');
    }
  }

  /** Those that some words of a whole text of ASCII characters are part of, whose places these are, ascending. */
  static at(
    text: string,
    { bounds, count }: WordSpans,
    { bytes, places, rules }: { bytes: Uint8Array; places: readonly number[]; rules: WordRules },
  ): OtherWord[] {
    const others = new OtherWords(text, rules);
    let first = 0;
    let last = -1;
    const isJoined = (i: number) => i > 0 && i < count && isJoinedBefore(bounds, bytes, i);
    for (const place of places) {
      if (place <= last) continue;
      for (first = place; isJoined(first); first -= 1);
      for (last = place; isJoined(last + 1); last += 1);
      others.#takeRun(bounds, first, last);
    }
    return others.drain();
  }

  #takeRun(bounds: Int32Array, first: number, last: number): void {
    this.#place = first - 1;
    for (let i = first; i <= last; i += 1) this.#take(bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0);
    if (this.#count > 0) this.#endRun(this.#place);
  }

  #take(start: number, end: number): void {
    const text = this.#text;
    this.#place += 1;
    const before = start > 0 ? text.charCodeAt(start - 1) : 0;
    const after = end < text.length ? text.charCodeAt(end) : 0;
    if (this.#count > 0 && !this.#goesOn(start, before)) this.#endRun(this.#place - 1);
    if (this.#count < partsMax) {
      this.#bounds[2 * this.#count] = start;
      this.#bounds[2 * this.#count + 1] = end;
    }
    this.#count += 1;
    this.#lastEnd = end;
    if (after === PLUS || after === HASH) this.#takeSymbols({ start, end }, after);
    if (before === DOT) this.#takeDotted({ start, end });
  }

  /** Those that ended since it was asked last. */
  drain(): OtherWord[] {
    if (this.#found.length === 0) return none;
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** The same, and those that the text's end ends. */
  finish(): OtherWord[] {
    if (this.#count > 0) this.#endRun(this.#place);
    return this.drain();
  }

  #goesOn(start: number, before: number): boolean {
    if (start !== this.#lastEnd + 1 || !joining.has(before)) return false;
    const text = this.#text;
    if (before === COMMA && !(isDigit(text.charCodeAt(start)) && isDigit(text.charCodeAt(start - 2))))
      return false;
    return isSpacedAt(text, start) && isSpacedAt(text, start - 2);
  }

  #endRun(last: number): void {
    const count = this.#count;
    const first = last - count + 1;
    this.#count = 0;
    if (count < 2 || count > partsMax) return;
    let parts: Part[] = [];
    for (let i = 0; i <= count; i += 1) {
      const part = i < count ? this.#partAt(i) : null;
      // What folds to nothing is no word, and joins none.
      if (part !== null && this.#wordAt(part) !== '') {
        parts.push(part);
        continue;
      }
      if (parts.length > 1) this.#addRun(parts, first + i - parts.length);
      parts = [];
    }
  }

  #partAt(i: number): Part {
    return { start: this.#bounds[2 * i] ?? 0, end: this.#bounds[2 * i + 1] ?? 0 };
  }

  #addRun(parts: Part[], first: number): void {
    const text = this.#text.slice(parts[0]?.start, parts.at(-1)?.end);
    if (version.test(text.toLowerCase())) {
      this.#addNumber(parts, first, 'whole');
      return;
    }
    this.#addJoined(parts, first);
    this.#addPieces(parts, first);
    this.#addNumbers(parts, first);
    const { start = 0, end = 0 } = parts.at(-1) ?? {};
    const last = first + parts.length - 1;
    // What a file ends in is looked for alone.
    if (this.#text.charCodeAt(start - 1) === DOT && isLetter(this.#text.charCodeAt(start)))
      this.#add(`.${this.#wordAt({ start, end })}`, { start: start - 1, end }, [last, last], 'part');
  }

  /** `1,234` is 1234 and `4,5` is 4.5; `v2.0.1` has the number, and the version of which it is one. */
  #addNumber(parts: Part[], first: number, kind: 'whole' | 'part'): void {
    const span = spanOf(parts);
    const text = this.#text.slice(span.start, span.end).toLowerCase();
    const plain = thousands.test(text) ? text.replaceAll(',', '') : text.replaceAll(',', '.');
    const places: Places = [first, first + parts.length - 1];
    this.#add(plain, span, places, kind);
    const [number = plain] = /\d+(?:\.\d+)*/.exec(plain) ?? [];
    if (number !== plain) this.#add(number, span, places, 'part');
    const [main = '', next = '', ...rest] = number.split('.');
    if (rest.length > 0) this.#add(`${main}.${next}`, span, places, 'part');
  }

  #addJoined(parts: Part[], first: number): void {
    const span = spanOf(parts);
    const places: Places = [first, first + parts.length - 1];
    if (this.#areInitials(parts)) this.#add(this.#joined(parts, '&'), span, places, 'whole');
    this.#add(this.#joined(parts), span, places, 'joined');
  }

  #areInitials(parts: Part[]): boolean {
    return parts.every(
      ({ start, end }, i) =>
        end - start <= initialsMax && (i === 0 || this.#text.charCodeAt(start - 1) === AMPERSAND),
    );
  }

  /** Of `anna.smith@example.com` what stands before and behind the `@`. */
  #addPieces(parts: Part[], first: number): void {
    let from = 0;
    for (let i = 1; i <= parts.length; i += 1) {
      const start = parts[i]?.start;
      if (start !== undefined && !parting.has(this.#text.charCodeAt(start - 1))) continue;
      const piece = parts.slice(from, i);
      if (piece.length > 1 && piece.length < parts.length && !this.#isNumber(piece))
        this.#add(this.#joined(piece), spanOf(piece), [first + from, first + i - 1], 'joined');
      from = i;
    }
  }

  /** The numbers of `v1.2.3-beta` and `7.5-8.5`: a query that is one of them asks for nothing else. */
  #addNumbers(parts: Part[], first: number): void {
    let from = 0;
    for (let i = 1; i <= parts.length; i += 1) {
      const before = this.#text.charCodeAt((parts[i]?.start ?? 0) - 1);
      if (i < parts.length && (before === DOT || before === COMMA)) continue;
      const piece = parts.slice(from, i);
      if (piece.length < parts.length && this.#isNumber(piece)) this.#addNumber(piece, first + from, 'part');
      from = i;
    }
  }

  #isNumber(parts: Part[]): boolean {
    const { start, end } = spanOf(parts);
    return version.test(this.#text.slice(start, end).toLowerCase());
  }

  /** In one word; between two digits a point stays, as `4.5` is not `45`. */
  #joined(parts: Part[], between = ''): string {
    let joined = '';
    for (const [i, part] of parts.entries()) {
      const before = this.#text.charCodeAt(part.start - 1);
      const isPoint =
        (before === DOT || before === COMMA) &&
        isDigit(this.#text.charCodeAt(part.start)) &&
        isDigit(this.#text.charCodeAt(part.start - 2));
      joined += `${i === 0 ? '' : isPoint ? '.' : between}${this.#wordAt(part)}`;
    }
    return joined;
  }

  /** `C++`, `F#`. */
  #takeSymbols({ start, end }: Part, symbol: number): void {
    const next = this.#text.charCodeAt(end + 1);
    if (symbol === PLUS ? next !== PLUS : isLetter(next) || isDigit(next)) return;
    if (!isSpacedAt(this.#text, end - 1)) return;
    const symbols = symbol === PLUS ? '++' : '#';
    const places: Places = [this.#place, this.#place];
    this.#add(this.#wordAt({ start, end }) + symbols, { start, end: end + symbols.length }, places, 'whole');
  }

  /** `.NET`, `.gitignore`: behind a space, as a sentence's point is before one. */
  #takeDotted({ start, end }: Part): void {
    if (!isLetter(this.#text.charCodeAt(start))) return;
    if (start > 1 && !opensWord.test(this.#text.charAt(start - 2))) return;
    const places: Places = [this.#place, this.#place];
    this.#add(`.${this.#wordAt({ start, end })}`, { start: start - 1, end }, places, 'whole');
  }

  #wordAt({ start, end }: Part): string {
    return wordAt(this.#text, { start, end }, this.#rules);
  }

  #add(word: string, { start, end }: Part, [first, last]: Places, kind: OtherWord['kind']): void {
    if (word.length <= tokenCharactersMax) this.#found.push({ word, start, end, first, last, kind });
  }
}

/** Its colour of skin and its variant are not told apart. */
const asEmoji = (text: string): string => text.replace(/[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu, '');

type Places = [first: number, last: number];

const none: OtherWord[] = [];

const spanOf = (parts: Part[]): Part => ({ start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 });

/** Whether a word of a text of ASCII characters has a character beside it that other words have in them; `i`: its place. */
export function hasOthers({ bounds, count }: WordSpans, bytes: Uint8Array, i: number): boolean {
  const start = bounds[2 * i] ?? 0;
  const end = bounds[2 * i + 1] ?? 0;
  if (end < bytes.length && (bytes[end] === PLUS || bytes[end] === HASH)) return true;
  if (isDotted(bytes, start)) return true;
  return (
    (i > 0 && isJoinedBefore(bounds, bytes, i)) || (i + 1 < count && isJoinedBefore(bounds, bytes, i + 1))
  );
}

export const isDotted = (bytes: Uint8Array, start: number): boolean => start > 0 && bytes[start - 1] === DOT;

/** Whether but one joining character stands between a word and the one before it. There is one. */
function isJoinedBefore(bounds: Int32Array, bytes: Uint8Array, i: number): boolean {
  const end = bounds[2 * i - 1] ?? 0;
  return bounds[2 * i] === end + 1 && isJoining[bytes[end] ?? 0] === 1;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
