/**
 * What an unfinished word may become: the words of living documents that begin with it, those that most documents hold first; where there
 * are none, those that begin with something that differs from it by the typos that its length allows. Stop words are left out.
 *
 * Costs a look at each word with the same beginning; for typos at each with the same first letter, a comparison of 32 bits, and letters are
 * compared for those that are left (as `TermDictionary.wordsLike`, of which this is the form for beginnings).
 */
import { TopK } from '../bits/top-k.ts';
import { type Steps, stepUnits } from '../steps.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { TypoMatcher, typosAllowed } from './typos.ts';
import { WordLetters } from './word-letters.ts';

/** A word that an unfinished one may become. */
export interface CompletedWord {
  word: string;
  /** Living documents that hold it. */
  documents: number;
}

interface CompletionAsked {
  /** Folded; empty: any word. */
  prefix: string;
  typosMax: number;
  limit: number;
}

/** Words compared letter by letter without a pause. */
const comparedMax = 256;
/** Letters and digits alone, which are not shown. */
const charactersMax = 128;

export function* completeWords(
  dictionary: TermDictionary,
  { prefix, typosMax, limit }: CompletionAsked,
): Steps<CompletedWord[]> {
  const exact = yield* dictionary.wordsFrom(prefix);
  const found = yield* mostHeld(dictionary, exact, limit);
  const typos = typosAllowed(prefix, typosMax);
  if (found.length > 0 || typos === 0) return found;
  return yield* mostHeld(dictionary, yield* begunAlike(dictionary, prefix, typos), limit);
}

/** The words are in order, so their places say which of two held alike is first. */
function* mostHeld(dictionary: TermDictionary, words: number[], limit: number): Steps<CompletedWord[]> {
  const { stopWords } = dictionary.analyzer;
  // Words that are not shown at the most. To read each word on the way cost several times as much.
  const best = new TopK(limit + charactersMax + stopWords.size, (a, b) => a < b);
  for (let place = 0; place < words.length; place += 1) {
    if ((place + 1) % stepUnits === 0) yield;
    const documents = plainDocumentsOf(dictionary, words[place] ?? 0);
    if (documents > 0) best.offer(place, documents);
  }
  const { ordinals: places, scores: documents } = yield* best.sorted();
  return Array.from(places, (place, i) => ({
    word: dictionary.textOf(words[place] ?? 0),
    documents: documents[i] ?? 0,
  }))
    .filter(({ word }) => !isCharacter(word) && !stopWords.has(word))
    .slice(0, limit);
}

/** Documents that have a word among their words. */
const plainDocumentsOf = (dictionary: TermDictionary, word: number): number =>
  dictionary.documentsOf(word) - dictionary.others.of(word);

const isCharacter = (word: string): boolean => word.length === 1 && word.charCodeAt(0) < charactersMax;

/** Of words whose beginning is so few typos away, those that are nearest. */
function* begunAlike(dictionary: TermDictionary, prefix: string, typos: number): Steps<number[]> {
  const matcher = new TypoMatcher(prefix, typos);
  const word = new WordLetters(dictionary);
  let nearest = typos;
  let words: number[] = [];
  const candidates = yield* dictionary.wordsBegunLike(prefix, typos);
  for (const [i, id] of candidates.entries()) {
    if ((i + 1) % comparedMax === 0) yield;
    word.read(id);
    const distance = matcher.distanceToBeginning(word.letters, word.count);
    if (distance > nearest) continue;
    if (distance < nearest) words = [];
    nearest = distance;
    words.push(id);
  }
  return words;
}
