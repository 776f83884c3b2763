/**
 * Typos between words: a letter too many, missing, wrong, or two neighbours swapped each cost 1, or 2 where the first letter of a
 * word is touched, since people rarely get that one wrong (optimal string alignment distance; P. Boytsov, "Indexing methods for
 * approximate dictionary searching", 2011, section 2). One word against another costs the product of what they do not share at either end.
 */
export class TypoMatcher {
  readonly #word: Int32Array;
  readonly #most: number;
  #row: Int32Array;
  #previous: Int32Array;
  #beforePrevious: Int32Array;

  /** Distances up to `most` are told apart. */
  constructor(word: string, most: number) {
    this.#word = lettersOf(word);
    this.#most = most;
    this.#row = new Int32Array(this.#word.length + most + 2);
    this.#previous = this.#row.slice();
    this.#beforePrevious = this.#row.slice();
  }

  /**
   * `most + 1`: farther than `most`. Letters are code points, of which the first `columns` count. What both words begin and end with
   * costs nothing, so the rows are those of what is left: for most words none, since their first letters differ or too much is left.
   */
  distanceTo(letters: ArrayLike<number>, columns: number = letters.length): number {
    const word = this.#word;
    const most = this.#most;
    const tooFar = most + 1;
    if (Math.abs(word.length - columns) > most) return tooFar;
    const shorter = Math.min(word.length, columns);
    let start = 0;
    while (start < shorter && word[start] === letters[start]) start += 1;
    let end = 0;
    while (end < shorter - start && word[word.length - 1 - end] === letters[columns - 1 - end]) end += 1;
    // Other first letters cost 2, whichever typo it is, and reach no farther than the second ones.
    if (start === 0 && shorter > 0 && (most < 2 || (most === 2 && end < shorter - 2))) return tooFar;
    const rowsLeft = word.length - start - end;
    const columnsLeft = columns - start - end;
    if (most === 1 && Math.max(rowsLeft, columnsLeft) > 2) return tooFar;
    return this.#costOf(letters, { start, rows: rowsLeft, columns: columnsLeft });
  }

  /** The least distance of any beginning of the letters, of which the first `count` count. */
  distanceToBeginning(letters: ArrayLike<number>, count: number = letters.length): number {
    let least = this.#most + 1;
    // One of another length differs by as many typos at least.
    const longest = Math.min(count, this.#word.length + this.#most);
    for (let columns = Math.max(1, this.#word.length - this.#most); columns <= longest; columns += 1)
      least = Math.min(least, this.distanceTo(letters, columns));
    return least;
  }

  #costOf(
    letters: ArrayLike<number>,
    { start, rows, columns }: { start: number; rows: number; columns: number },
  ): number {
    const tooFar = this.#most + 1;
    for (let j = 0; j <= columns; j += 1) this.#previous[j] = j === 0 || start > 0 ? j : j + 1;
    let leastBefore = 0;
    for (let i = 1; i <= rows; i += 1) {
      const least = this.#fillRow(i, letters, { start, columns });
      // A swap reaches back two rows.
      if (least > this.#most && leastBefore > this.#most) return tooFar;
      leastBefore = least;
      this.#turnRows();
    }
    return Math.min(this.#previous[columns] ?? tooFar, tooFar);
  }

  /** `i` and `j` count from the first letter after `start`; with `start` 0 they touch the first letters. */
  #fillRow(
    i: number,
    letters: ArrayLike<number>,
    { start, columns }: { start: number; columns: number },
  ): number {
    const word = this.#word;
    const row = this.#row;
    const previous = this.#previous;
    const isFirst = start === 0;
    const own = word[start + i - 1];
    const ownBefore = i > 1 ? word[start + i - 2] : -1;
    const drop = isFirst && i === 1 ? 2 : 1;
    row[0] = isFirst ? i + 1 : i;
    let least = row[0] ?? 0;
    let letterBefore = -1;
    for (let j = 1; j <= columns; j += 1) {
      const letter = letters[start + j - 1] ?? 0;
      const wrong = own === letter ? 0 : isFirst && i === 1 && j === 1 ? 2 : 1;
      let cost = (previous[j - 1] ?? 0) + wrong;
      cost = Math.min(cost, (previous[j] ?? 0) + drop, (row[j - 1] ?? 0) + (isFirst && j === 1 ? 2 : 1));
      if (own === letterBefore && ownBefore === letter)
        cost = Math.min(cost, (this.#beforePrevious[j - 2] ?? 0) + (isFirst && i === 2 && j === 2 ? 2 : 1));
      row[j] = cost;
      if (cost < least) least = cost;
      letterBefore = letter;
    }
    return least;
  }

  #turnRows(): void {
    const oldest = this.#beforePrevious;
    this.#beforePrevious = this.#previous;
    this.#previous = this.#row;
    this.#row = oldest;
  }
}

/** Typos that a word may have: one from 4 letters, two from 8; none in words with digits, where every character counts. */
export function typosAllowed(word: string, most: number): number {
  return byLength(word, most, 4, 8);
}

/** The limits for a word that resembles nothing under the usual ones: one from 3 letters, two from 6. */
export function typosAtMost(word: string, most: number): number {
  return byLength(word, most, 3, 6);
}

function byLength(word: string, most: number, forOne: number, forTwo: number): number {
  if (/\p{N}/u.test(word)) return 0;
  const letters = lettersOf(word).length;
  return Math.min(most, letters >= forTwo ? 2 : letters >= forOne ? 1 : 0);
}

/** Code points. `Int32Array.from(word, …)` takes ten times as long, and this is asked of thousands of words in a search. */
export function lettersOf(word: string): Int32Array {
  const letters = new Int32Array(word.length);
  let count = 0;
  for (let at = 0; at < word.length; count += 1) {
    const letter = word.codePointAt(at) ?? 0;
    letters[count] = letter;
    at += letter > 0xffff ? 2 : 1;
  }
  return count === word.length ? letters : letters.subarray(0, count);
}
