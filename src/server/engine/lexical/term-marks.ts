/** What marks of postings (`word-marks.ts`) tell: whether a field holds a word of a term that is wanted. */
import { isPauseDue, type Steps } from '../steps.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { bitsOf, marksCount, otherMark, severalMark } from './word-marks.ts';

/** By mark: whether it does. Of postings without a mark nothing is told. */
export type Telling = Uint8Array;

export const told = { isNot: 0, may: 1, is: 2 } as const;

/** Most stems have their words' letters, but for their own last ones. */
const changedLetters = 2;
/** Strings looked at without a pause. */
const stringsAtOnce = 256;

/** Of a term all of whose words are wanted. */
export const allWanted: Telling = new Uint8Array(marksCount).fill(told.is);
allWanted[0] = told.may;
allWanted[otherMark] = told.isNot;

/** Of words and of what is not told apart from them. */
interface Words {
  marks: Set<number>;
  bits: number;
}

const mayAll: Telling = new Uint8Array(marksCount).fill(told.may);

/** Units of work a string that is looked at, and what a telling takes beside these. */
const stringUnits = 8;
const tellingUnits = marksCount / 2;

/**
 * Reads the strings that begin as the term does, where not all of its words are among these those that begin nearly so, and at last all there are; but no more than
 * `stringsMax` of them: who holds the term costs less to read then. Nothing is told where its words are not all among these.
 */
export function* tellingOf(
  dictionary: TermDictionary,
  term: number,
  {
    isWanted,
    spend,
    stringsMax,
  }: { isWanted: (word: number) => boolean; spend: (units: number) => void; stringsMax: number },
): Steps<Telling> {
  const letters = [...dictionary.textOf(term)];
  for (const beginning of [letters.join(''), letters.slice(0, -changedLetters).join(''), '']) {
    const wanted: Words = { marks: new Set(), bits: 0 };
    const others: Words = { marks: new Set(), bits: 0 };
    let left = dictionary.livingWordsOf(term);
    const strings = dictionary.stringsFrom(beginning);
    if (strings.length > stringsMax) return mayAll;
    spend(strings.length * stringUnits);
    for (let i = 0; i < strings.length && left > 0; i += 1) {
      const word = strings[i] ?? 0;
      if ((i + 1) % stringsAtOnce === 0 && isPauseDue(stringsAtOnce * stringUnits)) yield;
      if (dictionary.termOf(word) !== term || dictionary.documentsOf(word) === 0) continue;
      left -= 1;
      const mark = dictionary.marks.of(word);
      const own = isWanted(word) ? wanted : others;
      own.marks.add(mark);
      own.bits |= bitsOf(mark);
    }
    if (isPauseDue((strings.length % stringsAtOnce) * stringUnits)) yield;
    if (left > 0) continue;
    spend(tellingUnits);
    if (isPauseDue(tellingUnits)) yield;
    return tellingBy(wanted, others);
  }
  return mayAll;
}

function tellingBy(wanted: Words, others: Words): Telling {
  const telling = new Uint8Array(marksCount);
  telling[0] = told.may;
  for (const mark of wanted.marks) telling[mark] = others.marks.has(mark) ? told.may : told.is;
  const ownBits = wanted.bits & ~others.bits;
  for (let marks = severalMark; marks < marksCount; marks += 1) {
    if ((marks & ownBits) !== 0) telling[marks] = told.is;
    else if ((marks & wanted.bits) !== 0) telling[marks] = told.may;
  }
  return telling;
}
