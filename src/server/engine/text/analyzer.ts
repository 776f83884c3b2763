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

/** How the words of a text are told apart and compared. */
export interface WordRules {
  /** One form for every way to write the same word; a folded word stays as it is. */
  fold(word: string): string;
  /** Whether folding a word of ASCII characters only lower-cases it. */
  isAsciiPlain: boolean;
}

/** How texts of a language are read: the same for documents and queries. */
export interface Analyzer {
  /** Says which rules these are. A snapshot that was made by others is refused. */
  name: string;
  words: WordRules;
  /** What a folded word shares with its other forms; of a word that has none, itself. */
  stem(word: string): string;
  /** A stem is never longer than its word, and has its letters but for its own last two. */
  isStemBeginning: boolean;
  /** Folded words that tell too little: indexed, but used only by a query that has nothing else. */
  stopWords: ReadonlySet<string>;
  /** Folded words that tell little in a sentence, though they may be a title: what questions are made of. */
  faintWords?: ReadonlySet<string>;
}

/** The rules of no language: those of all that need none of their own. */
export const plainWords: WordRules = { fold: foldWord, isAsciiPlain: true };

/** UTF-16 units of a folded word that are indexed; the rest of a longer one is ignored. */
export const tokenCharactersMax = 64;
/** Units of an unfolded word that are folded at all: composed and decomposed forms of one word must reach the same cut. */
const foldedCharactersMax = 16 * tokenCharactersMax;

const sharedSpans = new WordSpans();
/** A longer text has arrays of its own, so that it does not leave them behind. */
const sharedCharactersMax = 65_536;

/** All words of a text, in order. */
export function tokenize(text: string, rules = plainWords): Token[] {
  const spans = text.length > sharedCharactersMax ? new WordSpans() : sharedSpans;
  spans.read(text);
  const tokens: Token[] = [];
  for (let i = 0; i < spans.count; i += 1) {
    const start = spans.bounds[2 * i] ?? 0;
    const end = spans.bounds[2 * i + 1] ?? 0;
    const token = tokenOf(text, spans, i, rules);
    if (token !== '') tokens.push({ token, start, end });
  }
  return tokens;
}

/** UTF-16 units that are read at once. */
const partUnits = 512;

/** The folded words of a text, in order, part by part: something else may be done between two parts. */
export function* tokenParts(text: string, rules = plainWords): Generator<string[], void, void> {
  const spans = text.length > partUnits ? new WordSpans() : sharedSpans;
  spans.begin(text);
  for (let isMore = true; isMore; ) {
    isMore = spans.readOn(partUnits);
    const tokens: string[] = [];
    for (let i = 0; i < spans.count; i += 1) {
      const token = tokenOf(text, spans, i, rules);
      if (token !== '') tokens.push(token);
    }
    yield tokens;
  }
}

/** The folded words of a query, without those that lie inside the word before them (the last character of a pair). */
export function queryWords(text: string, rules = plainWords): string[] {
  const tokens = tokenize(text, rules);
  return tokens.filter((each, i) => each.end !== tokens[i - 1]?.end).map((each) => each.token);
}

/** A word of a text that was read last, folded; empty where nothing is left of it (a mark's carrier alone). */
export function tokenOf(text: string, spans: WordSpans, i: number, rules: WordRules): string {
  const { bounds, bytes, isAscii } = spans;
  const start = bounds[2 * i] ?? 0;
  const end = bounds[2 * i + 1] ?? 0;
  if (rules.isAsciiPlain && (bytes !== null || isAscii[i] === 1))
    return text.slice(start, Math.min(end, start + tokenCharactersMax)).toLowerCase();
  return cut(rules.fold(text.slice(start, Math.min(end, start + foldedCharactersMax))), tokenCharactersMax);
}

function cut(word: string, unitsMax: number): string {
  if (word.length <= unitsMax) return word;
  const last = word.charCodeAt(unitsMax - 1);
  return word.slice(0, last >= 0xd800 && last <= 0xdbff ? unitsMax - 1 : unitsMax);
}
