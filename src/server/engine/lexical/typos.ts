/**
 * Typos between words: a letter too many, missing, wrong, or two neighbours swapped each cost 1, or 2 where the first letter of a
 * word is touched, since people rarely get that one wrong (optimal string alignment distance; P. Boytsov, "Indexing methods for
 * approximate dictionary searching", 2011, section 2). One word against another costs their product, usually a few rows until the limit is passed.
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

  /** `most + 1`: farther than `most`. Letters are code points. */
  distanceTo(letters: ArrayLike<number>): number {
    const word = this.#word;
    const columns = letters.length;
    const tooFar = this.#most + 1;
    if (Math.abs(word.length - columns) > this.#most) return tooFar;
    this.#startRows(columns);
    let leastBefore = 0;
    for (let i = 1; i <= word.length; i += 1) {
      const least = this.#fillRow(i, letters);
      // A swap reaches back two rows.
      if (least > this.#most && leastBefore > this.#most) return tooFar;
      leastBefore = least;
      this.#turnRows();
    }
    return Math.min(this.#previous[columns] ?? tooFar, tooFar);
  }

  #startRows(columns: number): void {
    for (let j = 0; j <= columns; j += 1) this.#previous[j] = j === 0 ? 0 : j + 1;
  }

  #fillRow(i: number, letters: ArrayLike<number>): number {
    const [word, row, previous] = [this.#word, this.#row, this.#previous];
    const drop = i === 1 ? 2 : 1;
    row[0] = i + 1;
    let least = i + 1;
    for (let j = 1; j <= letters.length; j += 1) {
      const isFirst = i === 1 && j === 1;
      const wrong = word[i - 1] === letters[j - 1] ? 0 : isFirst ? 2 : 1;
      let cost = (previous[j - 1] ?? 0) + wrong;
      cost = Math.min(cost, (previous[j] ?? 0) + drop, (row[j - 1] ?? 0) + (j === 1 ? 2 : 1));
      if (i > 1 && j > 1 && word[i - 1] === letters[j - 2] && word[i - 2] === letters[j - 1])
        cost = Math.min(cost, (this.#beforePrevious[j - 2] ?? 0) + (i === 2 && j === 2 ? 2 : 1));
      row[j] = cost;
      if (cost < least) least = cost;
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

export function lettersOf(word: string): Int32Array {
  return Int32Array.from(word, (letter) => letter.codePointAt(0) ?? 0);
}
