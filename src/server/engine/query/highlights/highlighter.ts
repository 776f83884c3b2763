/**
 * Snippets of a document's texts around what a query matched. A text of at most `wordsMax` words is shown whole; of a longer one the
 * window of that many words with the most different matched words, then the most matches, then the earliest; an ellipsis says where
 * text was left out. What is marked is `<mark>`, everything else is escaped, so a snippet is safe as HTML whatever the document holds.
 *
 * Bounded: `charactersMax` of a field, `elementsMax` texts of a list and `fieldsMax` fields are looked at. Plain loops over typed arrays:
 * with an object and a string for each word, highlighting took two thirds of a search.
 */
import { withRoom } from '../../memory/with-room.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import { othersOf, tokenOf } from '../../text/analyzer.ts';
import { hasOthers, isDotted, type OtherWord, OtherWords } from '../../text/other-words.ts';
import { plainWords, type WordRules } from '../../text/word-rules.ts';
import { WordSpans } from '../../text/word-spans.ts';
import { addMatches, bestWindow, isBetter, type Matches, render, type Window, wordsMax } from './snippet.ts';

export interface FieldHighlight {
  field: string;
  snippet: string;
  /** The words as the text has them, each once, in order. */
  matchedTokens: string[];
}

/** Which words match. Numbers are given from 0 in the order in which words are met. */
export interface WordMatcher {
  /** The number of a folded word, −1: it does not match. */
  numberOf(word: string): number;
  /** Whether a word of ASCII characters may match at all, by its length and its first three bytes, which stand at `start`. */
  mayMatch(bytes: Uint8Array, start: number, length: number): boolean;
  /** By ASCII character: 1 where words that match may begin so, or those behind it: the number of `v2`. */
  readonly firsts: Uint8Array;
  /** Leaves out those of a text's words that match only beside others, and do not stand beside them. */
  dropLoose(matches: Matches): void;
}

/** As many letters of a word as `mayMatch` looks at. */
const beginning = new Uint8Array(3);

const DOT = 0x2e;
const NINE = 0x39;
/** No word must have more to match. */
const lettersMax = 254;
const noOthers: OtherWord[] = [];

const charactersMax = 20_000;
const elementsMax = 1_000;
const fieldsMax = 100;
/** Of work, to read a character. */
export const characterUnits = 4;

/** The words of the text that is being read, and those of them that match. Used again for the next text. */
const spans = new WordSpans();
const matches: Matches = {
  count: 0,
  places: new Int32Array(64),
  numbers: new Int32Array(64),
  starts: new Int32Array(64),
  ends: new Int32Array(64),
};

const wholeText: Window = { first: 0, distinct: 1, matches: 1 };

/** Makes the snippets of one query's hits. */
export class Highlighter {
  readonly #matcher: WordMatcher;
  readonly #rules: WordRules;
  /** Of the last field. */
  #charactersRead = 0;

  constructor(matcher: WordMatcher, rules = plainWords) {
    this.#matcher = matcher;
    this.#rules = rules;
  }

  /** Highlights of the fields that match, in the order of the map; of a list its best text. */
  *highlight(textsByField: Map<string, string[]>): Steps<FieldHighlight[]> {
    const highlights: FieldHighlight[] = [];
    for (const [field, texts] of textsByField) {
      if (highlights.length === fieldsMax) break;
      this.#add(field, texts, highlights);
      if (isPauseDue(this.#charactersRead * characterUnits)) yield;
    }
    return highlights;
  }

  /** The same in one go, of a small document. */
  highlightAtOnce(textsByField: Map<string, string[]>): FieldHighlight[] {
    const highlights: FieldHighlight[] = [];
    for (const [field, texts] of textsByField) {
      if (highlights.length === fieldsMax) break;
      this.#add(field, texts, highlights);
    }
    return highlights;
  }

  #add(field: string, texts: string[], into: FieldHighlight[]): void {
    const best = this.#best(texts);
    if (best !== null) into.push({ field, ...best });
  }

  #best(texts: string[]): Omit<FieldHighlight, 'field'> | null {
    let best: { whole: string; text: string; window: Window } | null = null;
    let charactersLeft = charactersMax;
    this.#charactersRead = 0;
    let lastRead = '';
    for (let i = 0; i < texts.length && i < elementsMax && charactersLeft > 0; i += 1) {
      const whole = texts[i] ?? '';
      const text = wholeCharacters(whole, charactersLeft);
      charactersLeft -= text.length;
      lastRead = text;
      this.#read(text);
      if (matches.count === 0) continue;
      // A text of its own that is shown whole needs no window.
      const window =
        texts.length === 1 && spans.count <= wordsMax ? wholeText : bestWindow(matches, spans.count);
      if (best === null || isBetter(window, best.window)) best = { whole, text, window };
    }
    if (best === null) return null;
    if (best.text !== lastRead) this.#read(best.text);
    // Where no words are cut the text ends where it was cut.
    const shown = spans.count <= wordsMax ? best.text : best.whole;
    return render(shown, { spans, matches, first: best.window.first });
  }

  /** Finds the words of a text, and which of them match. */
  #read(text: string): void {
    this.#charactersRead += text.length;
    spans.read(text);
    matches.places = withRoom(matches.places, spans.count);
    matches.numbers = withRoom(matches.numbers, spans.count);
    const others = spans.bytes === null ? this.#matchAny(text) : this.#matchAscii(text, spans.bytes);
    this.#matcher.dropLoose(matches);
    matches.starts = withRoom(matches.starts, matches.count);
    matches.ends = withRoom(matches.ends, matches.count);
    for (let i = 0; i < matches.count; i += 1) {
      const place = matches.places[i] ?? 0;
      matches.starts[i] = spans.bounds[2 * place] ?? 0;
      matches.ends[i] = spans.bounds[2 * place + 1] ?? 0;
    }
    if (others.length > 0) this.#addOthers(others);
  }

  /** Words that stand beside the text's words: at the place of the first they are made of, or behind the one before them. */
  #addOthers(others: OtherWord[]): void {
    const found = others.flatMap(({ word, start, end, first, last }) => {
      const number = this.#matcher.numberOf(word);
      const place = Math.max(0, Math.min(last < first ? last : first, spans.count - 1));
      return number < 0 ? [] : [{ place, number, start, end }];
    });
    if (found.length > 0) addMatches(matches, found);
  }

  /** Most words are passed over by their first character. @returns the words beside them that may match */
  #matchAscii(text: string, bytes: Uint8Array): OtherWord[] {
    const { bounds, count } = spans;
    const { places, numbers } = matches;
    const matcher = this.#matcher;
    const { firsts } = matcher;
    const mayBeDotted = firsts[DOT] === 1;
    const withOthers: number[] = [];
    let found = 0;
    for (let i = 0; i < count; i += 1) {
      const start = bounds[2 * i] ?? 0;
      const mayBeBehindDot = mayBeDotted && isDotted(bytes, start);
      if (firsts[bytes[start] ?? 0] !== 1 && !mayBeBehindDot) continue;
      const end = bounds[2 * i + 1] ?? 0;
      // What three letters begin, however it goes on, begins as they do.
      const isBegun = end - start >= beginning.length && areLetters(bytes, start);
      if (isBegun && !mayBeBehindDot && !matcher.mayMatch(bytes, start, lettersMax)) continue;
      if (hasOthers(spans, bytes, i)) withOthers.push(i);
      if (!matcher.mayMatch(bytes, start, end - start)) continue;
      const number = matcher.numberOf(tokenOf(text, spans, i, this.#rules));
      if (number < 0) continue;
      places[found] = i;
      numbers[found] = number;
      found += 1;
    }
    matches.count = found;
    if (withOthers.length === 0) return noOthers;
    return OtherWords.at(text, spans, { bytes, places: withOthers, rules: this.#rules });
  }

  #matchAny(text: string): OtherWord[] {
    const { bounds, isAscii } = spans;
    const { places, numbers } = matches;
    let count = 0;
    let found = 0;
    for (let i = 0; i < spans.count; i += 1) {
      const start = bounds[2 * i] ?? 0;
      const end = bounds[2 * i + 1] ?? 0;
      const word = this.#mayMatchAt(text, start, end, isAscii[i] === 1)
        ? tokenOf(text, spans, i, this.#rules)
        : null;
      // As in the index, what folds to nothing is no word.
      if (word === '') continue;
      const number = word === null ? -1 : this.#matcher.numberOf(word);
      if (number >= 0) {
        places[found] = count;
        numbers[found] = number;
        found += 1;
      }
      bounds[2 * count] = start;
      bounds[2 * count + 1] = end;
      count += 1;
    }
    spans.count = count;
    matches.count = found;
    return othersOf(text, spans, this.#rules);
  }

  /** Most words of a text that is not ASCII are. */
  #mayMatchAt(text: string, start: number, end: number, isAscii: boolean): boolean {
    if (!isAscii) return true;
    for (let i = 0; i < beginning.length; i += 1) beginning[i] = text.charCodeAt(start + i);
    return this.#matcher.mayMatch(beginning, 0, end - start);
  }
}

/** Of a word of ASCII letters and digits, the first three. */
function areLetters(bytes: Uint8Array, start: number): boolean {
  return (bytes[start] ?? 0) > NINE && (bytes[start + 1] ?? 0) > NINE && (bytes[start + 2] ?? 0) > NINE;
}

/** The first `length` units of a text, one fewer where that would part a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
