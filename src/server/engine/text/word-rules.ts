import { foldWord, isAscii } from './fold.ts';

/** How the words of a text are told apart and compared. */
export interface WordRules {
  /** One form for every way to write the same word; a folded word stays as it is. */
  fold(word: string): string;
  /** Whether folding a word of ASCII characters only lower-cases it. */
  isAsciiPlain: boolean;
}

/** The rules of no language: those of all that need none of their own. */
export const plainWords: WordRules = { fold: foldWord, isAsciiPlain: true };

/** UTF-16 units of a folded word that are indexed; the rest of a longer one is ignored. */
export const tokenCharactersMax = 64;
/** Units of an unfolded word that are folded at all: composed and decomposed forms of one word must reach the same cut. */
const foldedCharactersMax = 16 * tokenCharactersMax;

/** What stands at a place of a text, folded; empty where nothing is left of it (a mark's carrier alone). */
export function wordAt(
  text: string,
  { start, end }: { start: number; end: number },
  rules: WordRules,
): string {
  const word = text.slice(start, Math.min(end, start + foldedCharactersMax));
  if (rules.isAsciiPlain && isAscii(word)) return word.slice(0, tokenCharactersMax).toLowerCase();
  return cut(rules.fold(word), tokenCharactersMax);
}

/** The same of a word that is known to be ASCII. */
export function asciiWord(text: string, start: number, end: number, rules: WordRules): string {
  if (!rules.isAsciiPlain) return wordAt(text, { start, end }, rules);
  return text.slice(start, Math.min(end, start + tokenCharactersMax)).toLowerCase();
}

function cut(word: string, unitsMax: number): string {
  if (word.length <= unitsMax) return word;
  const last = word.charCodeAt(unitsMax - 1);
  return word.slice(0, last >= 0xd800 && last <= 0xdbff ? unitsMax - 1 : unitsMax);
}
