import type { Bitset } from '../../bits/bitset.ts';
import { fold, isAscii } from '../../text/fold.ts';
import { parseDate, parseDateSpan } from '../columns/calendar.ts';
import type { Field } from '../columns/field.ts';
import { hasAll, hasPrefixed, matchLongTexts } from './match-long-texts.ts';
import { PrefixSet } from './prefix-set.ts';
import type { TextMatch } from './text-match.ts';

interface WordOperand {
  words: string[];
  /** Reads as a date: values that are dates have been answered by the date column. */
  isDate: boolean;
}

interface Prefixes {
  /** Folded beginnings of whole values. */
  wholes: string[];
  /** Words of which the last is a beginning. */
  words: string[][];
}

/**
 * Adds the documents of which a text matches any operand. Whole values are looked up in the dictionary; prefixes and words walk over the distinct
 * values once, all operands together, and then one pass over the documents' codes collects them. Where an inverted index narrows the
 * documents down, only their values are read. Long texts, which are not in the dictionary, have their own file.
 */
export function matchStrings(match: TextMatch, found: Bitset): void {
  const { field, source } = match;
  if (field.strings === null) return;
  matchLongTexts(match, found);
  const codes = new Uint8Array(field.dictionary.size);
  const prefixes: Prefixes = { wholes: [], words: [] };
  const unresolved: WordOperand[] = [];
  for (const operand of match.operands) {
    if (operand.kind === 'range') continue;
    const { text } = operand.value;
    // Without words it is the whole value that counts.
    const words = match.isWhole ? [] : source.wordsOf(text);
    if (words.length === 0) {
      if (operand.isPrefix) prefixes.wholes.push(fold(text));
      else field.dictionary.eachFolded(fold(text), (code) => mark(codes, code));
    } else if (operand.isPrefix) {
      prefixes.words.push(words);
    } else {
      const wanted = { words, isDate: field.dates !== null && parseDateSpan(text) !== null };
      const having = source.withWords?.(field.path, words, false) ?? null;
      if (having === null) unresolved.push(wanted);
      else addVerified({ field, source, wanted, having }, found);
    }
  }
  if (prefixes.wholes.length + prefixes.words.length > 0) markPrefixes(match, prefixes, codes);
  if (unresolved.length > 0) markWords(match, unresolved, codes);
  const { ordinals, values, size } = field.strings;
  if (!codes.includes(1)) return;
  for (let place = 0; place < size; place++) {
    if (codes[values[place] ?? 0] === 1) found.add(ordinals[place] ?? 0);
  }
}

const mark = (codes: Uint8Array, code: number): void => {
  codes[code] = 1;
};

function markPrefixes({ field, source }: TextMatch, prefixes: Prefixes, codes: Uint8Array): void {
  const wholes = new PrefixSet(prefixes.wholes);
  for (const [code, text] of shortTexts(field)) {
    if (prefixes.wholes.length > 0 && wholes.isBegun(fold(text))) codes[code] = 1;
    else if (mayHold(text, prefixes.words)) {
      const present = new Set(source.wordsOf(text));
      if (prefixes.words.some((words) => hasPrefixed(present, words))) codes[code] = 1;
    }
  }
}

function* shortTexts({ dictionary }: Field): Generator<[code: number, text: string]> {
  for (let code = 0; code < dictionary.size; code += 1) {
    if (!dictionary.isLong(code)) yield [code, dictionary.textOf(code)];
  }
}

function markWords({ field, source }: TextMatch, operands: WordOperand[], codes: Uint8Array): void {
  const byFirstWord = new Map<string, WordOperand[]>();
  for (const operand of operands) {
    const first = operand.words[0] ?? '';
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), operand]);
  }
  const hasDateOperand = operands.some(({ isDate }) => isDate);
  const wanted = operands.map(({ words }) => words);
  for (const [code, text] of shortTexts(field)) {
    if (!mayHold(text, wanted)) continue;
    const present = new Set(source.wordsOf(text));
    const isDate = hasDateOperand && parseDate(text) !== null;
    for (const word of present) {
      const candidates = byFirstWord.get(word) ?? [];
      if (candidates.some((each) => hasWords(present, isDate, each))) codes[code] = 1;
    }
  }
}

/** Beyond this many operands, looking for each costs more than cutting the value into words. */
const soughtMax = 8;

/**
 * Whether a value could hold all the words of one operand. Most values are ruled out here, without being cut into words: those of an
 * ASCII text stand in it as they are, but for case.
 */
function mayHold(text: string, operands: string[][]): boolean {
  if (operands.length > soughtMax || !isAscii(text)) return operands.length > 0;
  const lower = text.toLowerCase();
  return operands.some((words) => words.every((word) => lower.includes(word)));
}

const hasWords = (present: Set<string>, isDateValue: boolean, { words, isDate }: WordOperand): boolean =>
  !(isDate && isDateValue) && hasAll(present, words);

/** Reads the values of the documents that the index names. */
function addVerified(
  {
    field,
    source,
    wanted,
    having,
  }: Pick<TextMatch, 'field' | 'source'> & { wanted: WordOperand; having: Bitset },
  found: Bitset,
): void {
  const list = field.strings;
  if (list === null) return;
  having.forEach((ordinal) => {
    const end = list.end(ordinal);
    for (let place = list.start(ordinal); place < end && !found.has(ordinal); place++) {
      const code = list.values[place] ?? 0;
      const text = field.dictionary.textOf(code);
      if (field.dictionary.isLong(code) || !mayHold(text, [wanted.words])) continue;
      if (hasWords(new Set(source.wordsOf(text)), parseDate(text) !== null, wanted)) found.add(ordinal);
    }
  });
}
