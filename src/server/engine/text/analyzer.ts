/**
 * Turns text into words: where one starts and ends in the original (UTF-16 offsets), and its folded form, in which the
 * same word typed in another case, with or without accents, in NFC or NFD is the same string.
 *
 * - A word is a run of letters, digits and marks (Unicode general categories). Everything else separates; soft hyphens and joiners
 *   inside a word are ignored. An English possessive `'s` is not a word.
 * - Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) give overlapping pairs of characters and the last
 *   character alone, so that every substring of one or more characters can be found; these tokens overlap in their offsets.
 * - Accents are dropped in Latin, Greek, Arabic and Hebrew. In other scripts a mark makes another letter (й is not и) and stays.
 * - A folded word longer than `tokenCharactersMax` is cut there.
 *
 * Linear in the text; no state.
 */
import { foldWord } from './fold.ts';

export interface Token {
  token: string;
  start: number;
  end: number;
}

/** UTF-16 units of a folded word that are indexed; the rest of a longer one is ignored. */
export const tokenCharactersMax = 64;
/** Units of an unfolded word that are folded at all: composed and decomposed forms of one word must reach the same cut. */
const foldedCharactersMax = 16 * tokenCharactersMax;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
// The modifier apostrophe is in Thai's extensions, and is a letter of words in many scripts.
const UNSPACED =
  /(?!\u02bc)[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** What a character does to the word being read. */
const SEPARATES = 0;
const CONTINUES = 1;
const IGNORED = 2;
const STANDS_ALONE = 3;

/** All words of a text, in order. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  let index = 0;
  while (index < text.length) {
    const kind = kindAt(text, index);
    if (kind === CONTINUES || (kind === IGNORED && start >= 0)) {
      if (start < 0) start = index;
    } else {
      if (start >= 0) pushWord(tokens, text, start, index);
      start = -1;
      if (kind === STANDS_ALONE) {
        index = pushPairs(tokens, text, index);
        continue;
      }
    }
    index += unitsAt(text, index);
  }
  if (start >= 0) pushWord(tokens, text, start, text.length);
  return tokens;
}

/** The folded words of a query, without those that lie inside the word before them (the last character of a pair). */
export function queryWords(text: string): string[] {
  const tokens = tokenize(text);
  return tokens.filter((each, i) => each.end !== tokens[i - 1]?.end).map((each) => each.token);
}

function pushWord(tokens: Token[], text: string, start: number, end: number): void {
  if (isPossessive(text, start, end)) return;
  const folded = foldWord(text.slice(start, Math.min(end, start + foldedCharactersMax)));
  const token = cut(folded, tokenCharactersMax);
  if (token !== '') tokens.push({ token, start, end });
}

/** The `s` of `user's`. */
function isPossessive(text: string, start: number, end: number): boolean {
  if (end - start !== 1 || start < 2) return false;
  const letter = text.charCodeAt(start);
  if (letter !== 0x73 && letter !== 0x53) return false;
  const before = text.charCodeAt(start - 1);
  return (before === 0x27 || before === 0x2019) && kindAt(text, start - 2) === CONTINUES;
}

/** Reads a run of a script without spaces. Returns where it ends. */
function pushPairs(tokens: Token[], text: string, from: number): number {
  let previous = -1;
  let start = from;
  while (start < text.length && kindAt(text, start) === STANDS_ALONE) {
    const end = clusterEnd(text, start);
    if (previous >= 0) pushWord(tokens, text, previous, end);
    previous = start;
    start = end;
  }
  pushWord(tokens, text, previous, start);
  return start;
}

/** End of a character with the marks that belong to it. */
function clusterEnd(text: string, start: number): number {
  let end = start + unitsAt(text, start);
  // A run of marks has no natural end; eight are more than any script stacks.
  for (let marks = 0; marks < 8 && end < text.length && MARK.test(characterAt(text, end)); marks += 1) {
    end += unitsAt(text, end);
  }
  return end;
}

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return asciiKinds[code] ?? SEPARATES;
  if (code === 0xad || code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff) {
    return IGNORED;
  }
  const character = characterAt(text, index);
  if (!WORD.test(character)) return SEPARATES;
  return UNSPACED.test(character) && !isSharedMark(character) ? STANDS_ALONE : CONTINUES;
}

/** Marks that several scripts use (a combining accent) belong to the word they are in. */
function isSharedMark(character: string): boolean {
  return MARK.test(character) && !/[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u.test(character);
}

function characterAt(text: string, index: number): string {
  return text.slice(index, index + unitsAt(text, index));
}

function unitsAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0xd800 || code > 0xdbff) return 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

function cut(word: string, unitsMax: number): string {
  if (word.length <= unitsMax) return word;
  const last = word.charCodeAt(unitsMax - 1);
  return word.slice(0, last >= 0xd800 && last <= 0xdbff ? unitsMax - 1 : unitsMax);
}

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? CONTINUES : SEPARATES,
);
