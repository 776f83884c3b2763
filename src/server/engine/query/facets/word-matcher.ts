/**
 * Whether words of a value, one behind the other, are the words of a text, the last one or its beginning; folded as words are, each with as many
 * typos as its length allows.
 */
import { lettersOf, TypoMatcher, typosAllowed } from '../../lexical/typos.ts';
import { foldWord, wordPattern } from '../../text/fold.ts';

/** UTF-16 offsets. */
export interface Span {
  start: number;
  end: number;
}

interface Word extends Span {
  text: string;
  letters: Int32Array;
}

interface Wanted {
  matcher: TypoMatcher;
  letters: number;
  typos: number;
}

export class WordMatcher {
  readonly #wanted: Wanted[];

  constructor(text: string, typosMax: number) {
    this.#wanted = wordsOf(text).map(({ text: word, letters }) => {
      const typos = typosAllowed(word, typosMax);
      return { matcher: new TypoMatcher(word, typos), letters: letters.length, typos };
    });
  }

  /** Where they stand first; null: nowhere. */
  find(value: string): Span | null {
    const last = this.#wanted.at(-1);
    if (last === undefined) return null;
    const words = wordsOf(value);
    for (let first = 0; first + this.#wanted.length <= words.length; first += 1) {
      const end = words[first + this.#wanted.length - 1];
      if (end === undefined || !this.#areBefore(words, first)) continue;
      const letters = beginningOf(end, last);
      if (letters !== null) return { start: words[first]?.start ?? 0, end: endIn(end, letters) };
    }
    return null;
  }

  /** Whether all but the last one stand from a word of the value on. */
  #areBefore(words: Word[], first: number): boolean {
    return this.#wanted
      .slice(0, -1)
      .every(({ matcher, typos }, i) => matcher.distanceTo(words[first + i]?.letters ?? []) <= typos);
  }
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => {
    const folded = foldWord(word);
    return { start: index, end: index + word.length, text: folded, letters: lettersOf(folded) };
  }).filter(({ text: folded }) => folded !== '');
}

/** How many letters of the word are nearest to the wanted one, the most of them; null: none are near enough. */
function beginningOf({ letters }: Word, { matcher, letters: length, typos }: Wanted): number | null {
  let [nearest, best] = [typos + 1, 0];
  const most = Math.min(letters.length, length + typos);
  for (let columns = Math.max(1, length - typos); columns <= most; columns += 1) {
    const distance = matcher.distanceTo(letters, columns);
    if (distance <= nearest) [nearest, best] = [distance, columns];
  }
  return nearest > typos ? null : best;
}

/** Where so many letters end; where folding has made others of them, the word's end. */
function endIn({ start, end, text, letters }: Word, count: number): number {
  if (text.length !== end - start) return end;
  const units = letters.subarray(0, count).reduce((sum, letter) => sum + (letter > 0xffff ? 2 : 1), 0);
  return start + units;
}
