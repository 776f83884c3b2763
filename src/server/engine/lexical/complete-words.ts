/**
 * What an unfinished word may become: the words of living documents that begin with it, those that most documents hold first; where there
 * are none, those that begin with something that differs from it by the typos that its length allows. Stop words are left out.
 *
 * Costs a look at each word with the same beginning; for typos at each with the same first letter, a comparison of 32 bits, and letters are
 * compared for those that are left (as `TermDictionary.wordsLike`, of which this is the form for beginnings).
 */
import { TopK } from '../bits/top-k.ts';
import { compareBytes } from '../memory/bytes.ts';
import { type Steps, stepUnits } from '../steps.ts';
import { stopWords } from '../text/stop-words.ts';
import type { CompletedWord } from '../types.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { lettersOf, TypoMatcher, typosAllowed } from './typos.ts';

interface CompletionAsked {
  /** Folded; empty: any word. */
  prefix: string;
  typosMax: number;
  limit: number;
}

/** Words compared letter by letter without a pause. */
const comparedMax = 256;
/** A word that one letter begins tells nobody anything. */
const lettersMin = 2;

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

function* mostHeld(dictionary: TermDictionary, words: number[], limit: number): Steps<CompletedWord[]> {
  const isBefore = (a: number, b: number) => compareBytes(dictionary.bytesOf(a), dictionary.bytesOf(b)) < 0;
  const best = new TopK(limit, isBefore);
  for (const [i, id] of words.entries()) {
    if ((i + 1) % stepUnits === 0) yield;
    if (isShown(dictionary, id)) best.offer(id, dictionary.documentsOf(id));
  }
  const { ordinals, scores } = yield* best.sorted();
  return Array.from(ordinals, (id, i) => ({ word: dictionary.textOf(id), documents: scores[i] ?? 0 }));
}

function isShown(dictionary: TermDictionary, id: number): boolean {
  if (dictionary.bytesOf(id).byteLength < lettersMin) return false;
  return !stopWords.has(dictionary.textOf(id));
}

/** Of words whose beginning is so few typos away, those that are nearest. */
function* begunAlike(dictionary: TermDictionary, prefix: string, typos: number): Steps<number[]> {
  const matcher = new TypoMatcher(prefix, typos);
  const { length } = lettersOf(prefix);
  let nearest = typos;
  let words: number[] = [];
  const candidates = yield* dictionary.wordsBegunLike(prefix, typos);
  for (const [i, id] of candidates.entries()) {
    if ((i + 1) % comparedMax === 0) yield;
    const distance = distanceOfBeginning(matcher, lettersOf(dictionary.textOf(id)), { length, typos });
    if (distance > nearest) continue;
    if (distance < nearest) words = [];
    nearest = distance;
    words.push(id);
  }
  return words;
}

/** The least distance of any beginning; one of another length differs by as many typos at least. */
function distanceOfBeginning(
  matcher: TypoMatcher,
  letters: Int32Array,
  { length, typos }: { length: number; typos: number },
): number {
  let least = typos + 1;
  for (let columns = Math.max(1, length - typos); columns <= length + typos; columns += 1) {
    if (columns > letters.length) break;
    least = Math.min(least, matcher.distanceTo(letters, columns));
  }
  return least;
}
