/**
 * Turns text into words: where one starts and ends in the original (UTF-16 offsets), and its folded form, in which the
 * same word typed in another case, with or without accents, in NFC or NFD is the same string. `word-spans.ts` says what a word is.
 *
 * - Accents are dropped in Latin, Greek, Arabic and Hebrew. In other scripts a mark makes another letter (й is not и) and stays.
 * - A folded word longer than `tokenCharactersMax` is cut there.
 */
import { foldWord } from './fold.ts';
import { WordSpans } from './word-spans.ts';

export interface Token {
  token: string;
  start: number;
  end: number;
}

/** UTF-16 units of a folded word that are indexed; the rest of a longer one is ignored. */
export const tokenCharactersMax = 64;
/** Units of an unfolded word that are folded at all: composed and decomposed forms of one word must reach the same cut. */
const foldedCharactersMax = 16 * tokenCharactersMax;

const sharedSpans = new WordSpans();
/** A longer text has arrays of its own, so that it does not leave them behind. */
const sharedCharactersMax = 65_536;

/** All words of a text, in order. */
export function tokenize(text: string): Token[] {
  const spans = text.length > sharedCharactersMax ? new WordSpans() : sharedSpans;
  spans.read(text);
  const tokens: Token[] = [];
  for (let i = 0; i < spans.count; i += 1) {
    const start = spans.bounds[2 * i] ?? 0;
    const end = spans.bounds[2 * i + 1] ?? 0;
    const token = tokenOf(text, spans, i);
    if (token !== '') tokens.push({ token, start, end });
  }
  return tokens;
}

/** UTF-16 units that are read at once. */
const partUnits = 512;

/** The folded words of a text, in order, part by part: something else may be done between two parts. */
export function* tokenParts(text: string): Generator<string[], void, void> {
  const spans = text.length > partUnits ? new WordSpans() : sharedSpans;
  spans.begin(text);
  for (let isMore = true; isMore; ) {
    isMore = spans.readOn(partUnits);
    const tokens: string[] = [];
    for (let i = 0; i < spans.count; i += 1) {
      const token = tokenOf(text, spans, i);
      if (token !== '') tokens.push(token);
    }
    yield tokens;
  }
}

/** The folded words of a query, without those that lie inside the word before them (the last character of a pair). */
export function queryWords(text: string): string[] {
  const tokens = tokenize(text);
  return tokens.filter((each, i) => each.end !== tokens[i - 1]?.end).map((each) => each.token);
}

function tokenOf(text: string, { bounds, bytes, isAscii }: WordSpans, i: number): string {
  return tokenAt(text, bounds[2 * i] ?? 0, bounds[2 * i + 1] ?? 0, bytes !== null || isAscii[i] === 1);
}

/** A word of a text, folded; empty where nothing is left of it (a mark's carrier alone). */
export function tokenAt(text: string, start: number, end: number, isAscii: boolean): string {
  if (isAscii) return text.slice(start, Math.min(end, start + tokenCharactersMax)).toLowerCase();
  return cut(foldWord(text.slice(start, Math.min(end, start + foldedCharactersMax))), tokenCharactersMax);
}

function cut(word: string, unitsMax: number): string {
  if (word.length <= unitsMax) return word;
  const last = word.charCodeAt(unitsMax - 1);
  return word.slice(0, last >= 0xd800 && last <= 0xdbff ? unitsMax - 1 : unitsMax);
}
