import { Bitset } from '../../bits/bitset.ts';
import { fold, stableBeginning } from '../../text/fold.ts';
import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';
import type { FilterSource } from './filter-source.ts';
import type { TextMatch } from './text-match.ts';

interface Wanted {
  /** Folded whole values, and beginnings of them. */
  wholes: { folded: string; isPrefix: boolean }[];
  /** Words, of which the last is a beginning where `isPrefix`. */
  words: { words: string[]; isPrefix: boolean }[];
  /** Documents that may hold the words of an operand; null: all may. */
  havingWords: Bitset | null;
}

/**
 * Adds the documents of which a long text matches any operand. Columns know such a text only by its beginning: that and the inverted index
 * name the documents that may match, and their stored texts decide. Cost: the documents with long texts, and one reading of each that may match.
 */
export function matchLongTexts(match: TextMatch, found: Bitset): void {
  const { field, source } = match;
  const { strings, dictionary } = field;
  if (strings === null || dictionary.longCount === 0) return;
  const wanted = wantedOf(match);
  const mayBeWhole = new Uint8Array(dictionary.size);
  for (let code = 0; code < dictionary.size; code += 1) {
    if (!dictionary.isLong(code)) continue;
    const beginning = stableBeginning(dictionary.textOf(code));
    if (wanted.wholes.some((each) => couldBegin(each, beginning))) mayBeWhole[code] = 1;
  }
  eachWithLongText(strings, field, (ordinal, code) => {
    const mayHold = wanted.words.length > 0 && (wanted.havingWords?.has(ordinal) ?? true);
    if ((mayBeWhole[code] === 0 && !mayHold) || found.has(ordinal)) return;
    if (source.textsOf(ordinal, field.path).some((text) => isWanted(text, wanted, source)))
      found.add(ordinal);
  });
}

function eachWithLongText(
  { ordinals, values, size }: EntryList,
  { dictionary }: Field,
  visit: (ordinal: number, code: number) => void,
): void {
  for (let place = 0; place < size; place += 1) {
    const code = values[place] ?? 0;
    if (dictionary.isLong(code)) visit(ordinals[place] ?? 0, code);
  }
}

function wantedOf({ field, operands, isWhole, source }: TextMatch): Wanted {
  const wanted: Wanted = { wholes: [], words: [], havingWords: null };
  let isEveryOneNamed = true;
  const having = new Bitset(0);
  for (const operand of operands) {
    if (operand.kind === 'range') continue;
    const { isPrefix, value } = operand;
    const words = isWhole ? [] : source.wordsOf(value.text);
    if (words.length === 0) {
      wanted.wholes.push({ folded: fold(value.text), isPrefix });
      continue;
    }
    wanted.words.push({ words, isPrefix });
    const named = source.withWords?.(field.path, words, isPrefix) ?? null;
    if (named === null) isEveryOneNamed = false;
    else having.or(named);
  }
  if (isEveryOneNamed) wanted.havingWords = having;
  return wanted;
}

/** Whether a text that begins so, folded, could be the value or begin with it. */
const couldBegin = ({ folded, isPrefix }: Wanted['wholes'][number], beginning: string): boolean =>
  folded.startsWith(beginning) || (isPrefix && beginning.startsWith(folded));

function isWanted(text: string, { wholes, words }: Wanted, source: FilterSource): boolean {
  if (wholes.length > 0) {
    const whole = fold(text);
    if (wholes.some(({ folded, isPrefix }) => (isPrefix ? whole.startsWith(folded) : whole === folded)))
      return true;
  }
  if (words.length === 0) return false;
  const present = new Set(source.wordsOf(text));
  return words.some((each) =>
    each.isPrefix ? hasPrefixed(present, each.words) : hasAll(present, each.words),
  );
}

export const hasAll = (present: Set<string>, words: string[]): boolean =>
  words.every((word) => present.has(word));

/** All words but the last as they are, the last as a beginning. */
export function hasPrefixed(present: Set<string>, words: string[]): boolean {
  const prefix = words.at(-1) ?? '';
  if (!hasAll(present, words.slice(0, -1))) return false;
  for (const word of present) if (word.startsWith(prefix)) return true;
  return false;
}
