import { stem as stemOf, stopWords, type Token, tokenize } from '#server/engine/search-index.ts';

export { stemOf };

/** A word of a text: where it stands, and the stem by which it is compared. */
export interface Word extends Token {
  stem: string;
}

export function wordsOf(text: string): Word[] {
  return tokenize(text).map((token) => ({ ...token, stem: stemOf(token.token) }));
}

export function stemsOf(text: string): Set<string> {
  return new Set(wordsOf(text).map((word) => word.stem));
}

const saidAlike = [
  'write wrote written writer author screenplay novel',
  'star play portray cast act actor actress voice',
  'make made create produce film shoot shot paint painted',
  'release premiere publish',
  'direct director',
  'cost price',
  'begin began start found establish',
  'win won award prize',
  'die died death',
  'born birth',
].map((words) => words.split(' ').map(stemOf));

const alike = new Map<string, ReadonlySet<string>>();
for (const stems of saidAlike) for (const stem of stems) alike.set(stem, new Set(stems));

/** Whether one of the stems says about what this one says. */
export function isSaidOtherwise(stem: string, stems: ReadonlySet<string>): boolean {
  for (const other of alike.get(stem) ?? []) if (stems.has(other)) return true;
  return false;
}

/** Words that ask, and say nothing of what is asked about. */
const askingWords =
  'who whom whose what when where which why how many much long do does did done doing has have had having can could would should may might ' +
  'were been being am tell me about please give show find explain describe list some any my your you i we our us he she him her hers his ' +
  'its theirs them those one ones ask know want need get got also more else again so then than too very just only from what whats';
const silentWords: ReadonlySet<string> = new Set([...stopWords, ...askingWords.split(' ')]);

/** Whether a word says something of what is asked about. */
export function isTelling({ token }: Token): boolean {
  return !silentWords.has(token);
}

const firstLetter = /^\p{Lu}/u;

/** Begins with a capital letter, as names do. */
export function isCapitalised(text: string, { start }: Token): boolean {
  return firstLetter.test(text.slice(start, start + 2));
}

export function isNumber({ token }: Token): boolean {
  return /^\d/.test(token);
}
