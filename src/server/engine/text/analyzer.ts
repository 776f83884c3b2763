/**
 * Turns text into words: where one starts and ends in the original (UTF-16 offsets), and its folded form, in which the
 * same word typed in another case, with or without accents, in NFC or NFD is the same string. `word-spans.ts` says what a word is.
 *
 * - Accents are dropped in Latin, Greek, Arabic and Hebrew. In other scripts a mark makes another letter (й is not и) and stays.
 * - A folded word longer than `tokenCharactersMax` is cut there.
 * - Filters know these words alone. Searches know those that `other-words.ts` tells too.
 */
import { type OtherWord, OtherWords } from './other-words.ts';
import { asciiWord, plainWords, type WordRules, wordAt } from './word-rules.ts';
import { WordSpans } from './word-spans.ts';

export interface Token {
  token: string;
  start: number;
  end: number;
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

/** The words of a part of a text, and those that ended in it. */
export interface TextPart {
  words: string[];
  others: OtherWord[];
}

/** The folded words of a text and those that stand beside them, part by part. */
export function* textParts(text: string, rules = plainWords): Generator<TextPart, void, void> {
  const spans = text.length > partUnits ? new WordSpans() : sharedSpans;
  const others = new OtherWords(text, rules);
  spans.begin(text);
  for (let isMore = true; isMore; ) {
    isMore = spans.readOn(partUnits);
    const words: string[] = [];
    others.takeAll(spans);
    for (let i = 0; i < spans.count; i += 1) {
      const word = tokenOf(text, spans, i, rules);
      if (word !== '') words.push(word);
    }
    yield { words, others: isMore ? others.drain() : others.finish() };
  }
}

/** The words that stand beside those of a text that was read. */
export function othersOf(text: string, spans: WordSpans, rules: WordRules): OtherWord[] {
  const others = new OtherWords(text, rules);
  others.takeAll(spans);
  return others.finish();
}

/** Words of a query, one behind the other, that texts may have as one. */
interface JoinedWords {
  words: string[];
  joined: string;
}

/** What a query asks for. */
interface QueryTextRead {
  words: readonly string[];
  /** Which of them may be written as one. */
  joined: readonly JoinedWords[];
}

/** By rules, of the query that was read last: a search over many collections asks for it again in each. */
const lastRead = new WeakMap<WordRules, { text: string; read: QueryTextRead }>();

/** The words that a query asks for, and which of them may be written as one. */
export function readQueryText(text: string, rules = plainWords): QueryTextRead {
  const known = lastRead.get(rules);
  if (known?.text === text) return known.read;
  const read = readWhole(text, rules);
  if (text.length <= sharedCharactersMax) lastRead.set(rules, { text, read });
  return read;
}

function readWhole(text: string, rules: WordRules): QueryTextRead {
  const spans = text.length > sharedCharactersMax ? new WordSpans() : sharedSpans;
  spans.read(text);
  const others = othersOf(text, spans, rules);
  const inPlace: string[][] = Array.from({ length: spans.count + 1 }, (_, i) =>
    i < spans.count && !liesInside(spans, i) ? [tokenOf(text, spans, i, rules)] : [],
  );
  const wholes = others.filter(({ kind }) => kind === 'whole');
  // Emoji come last, as they take the place of nothing.
  for (const { word, first, last } of wholes.sort(
    (a, b) => Number(a.last < a.first) - Number(b.last < b.first),
  )) {
    for (let i = first; i <= last; i += 1) inPlace[i] = [];
    inPlace[first] = [word, ...(inPlace[first] ?? [])];
  }
  const words = inPlace.flat().filter((word) => word !== '');
  const joined = others.flatMap(({ kind, word, start, end, first, last }) => {
    const own = inPlace.slice(first, last + 1).flat();
    const isSought = kind === 'joined' && own.length > 0 && isCode(text.slice(start, end));
    return isSought ? [{ words: own, joined: word }] : [];
  });
  return { words, joined };
}

/**
 * Whether people write it in one as well: `XJ-200`, `o'neill`, `AT&T`, an address. Looking for `on-line` as one word too would hardly find
 * anything more, and make all that holds `line` less telling: it cost .002 nDCG on judged questions.
 */
const isCode = (written: string): boolean => /[\d'\u2019@&]/.test(written);

/** The words that a query asks for. */
export const queryWords = (text: string, rules = plainWords): readonly string[] =>
  readQueryText(text, rules).words;

/** What texts are looked for that a synonym stands for: one word as in a query, several as they stand in texts, without their other words. */
export function synonymWords(text: string, rules = plainWords): readonly string[] {
  const words = queryWords(text, rules);
  return words.length < 2 ? words : wordsInText(text, rules);
}

/** The folded words of what was typed, as titles have them, without those that lie inside the word before them. */
export const typedWords = (text: string): string[] => wordsInText(text, plainWords);

function wordsInText(text: string, rules: WordRules): string[] {
  const tokens = tokenize(text, rules);
  return tokens.filter((each, i) => each.end !== tokens[i - 1]?.end).map((each) => each.token);
}

/** The folded words of a phrase, each as it follows another in a text. What ends in the middle of a pair may go on: its last character stands in no row. */
export function phraseWords(text: string, rules = plainWords): string[] {
  const tokens = tokenize(text, rules);
  const isLastInside = tokens.length > 1 && tokens.at(-1)?.end === tokens.at(-2)?.end;
  return tokens.slice(0, isLastInside ? -1 : undefined).map((each) => each.token);
}

/** The last character of a pair. */
function liesInside({ bounds }: WordSpans, i: number): boolean {
  return i > 0 && bounds[2 * i + 1] === bounds[2 * i - 1];
}

/** A word of a text that was read last, folded; empty where nothing is left of it. */
export function tokenOf(text: string, spans: WordSpans, i: number, rules: WordRules): string {
  const { bounds, bytes, isAscii } = spans;
  const start = bounds[2 * i] ?? 0;
  const end = bounds[2 * i + 1] ?? 0;
  if (bytes !== null || isAscii[i] === 1) return asciiWord(text, start, end, rules);
  return wordAt(text, { start, end }, rules);
}
