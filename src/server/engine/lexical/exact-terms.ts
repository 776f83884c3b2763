/**
 * The terms that a word of a query stands for as it was typed: its own, and with a prefix those of the words it begins. Those may be
 * as many as the index has, so they are a sorted array: a map of a million grows in one go.
 */
import { sortAscending } from '../bits/sort-steps.ts';
import { type Steps, stepUnits } from '../steps.ts';
import type { TermDictionary } from './term-dictionary.ts';

const NONE = -1;
/** So many terms are kept for the next search, and together so many bytes: those of all first letters and as many again. */
const keptMin = 256;
const keptBytesMin = 1 << 20;
const keptBytesEach = 8;

export class ExactTerms {
  /** −1: nothing known shares it. */
  readonly own: number;
  /** Of longer words, without its own; ascending. */
  readonly longer: Int32Array;

  private constructor(own: number, longer: Int32Array) {
    this.own = own;
    this.longer = longer;
  }

  static of(dictionary: TermDictionary, word: string): ExactTerms {
    return new ExactTerms(dictionary.termForQuery(word), new Int32Array(0));
  }

  /** Of a word that also stands for those it begins. Of many terms they are kept until a word that begins so comes or goes. */
  static *beginningWith(dictionary: TermDictionary, word: string): Steps<ExactTerms> {
    const own = dictionary.termForQuery(word);
    const changes = dictionary.changesOf(word);
    const known = dictionary.kept.get(word);
    if (known?.changes === changes && known.own === own) return new ExactTerms(own, known.longer);
    const exact = yield* ExactTerms.#find(dictionary, word, own);
    const { longer } = exact;
    if (longer.length >= keptMin) {
      const bytesMax = Math.max(keptBytesMin, dictionary.count * keptBytesEach);
      dictionary.kept.put(word, { own, longer, changes, bytes: longer.byteLength }, bytesMax);
    }
    return exact;
  }

  /** Of a stop word that may become another word: those it begins that are none, without itself. */
  static *onlyBeginningWith(dictionary: TermDictionary, word: string): Steps<ExactTerms> {
    const { stopWords } = dictionary.analyzer;
    return yield* ExactTerms.#find(dictionary, word, NONE, (id) => !stopWords.has(dictionary.textOf(id)));
  }

  static *#find(
    dictionary: TermDictionary,
    word: string,
    own: number,
    isMeant: (id: number) => boolean = () => true,
  ): Steps<ExactTerms> {
    const strings = dictionary.stringsFrom(word);
    const terms = new Int32Array(strings.length);
    let count = 0;
    for (const [i, id] of strings.entries()) {
      const term = dictionary.termOf(id);
      if (dictionary.documentsOf(id) > 0 && term !== own && isMeant(id)) {
        terms[count] = term;
        count += 1;
      }
      if ((i + 1) % stepUnits === 0) yield;
    }
    // Most words begin few others or none.
    const longer = count < 2 ? terms.subarray(0, count) : yield* distinct(terms.subarray(0, count));
    return new ExactTerms(own, longer.length < keptMin ? longer : longer.slice());
  }

  has(term: number): boolean {
    if (term === this.own) return term !== NONE;
    let low = 0;
    let high = this.longer.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.longer[middle] ?? 0) < term) low = middle + 1;
      else high = middle;
    }
    return low < this.longer.length && this.longer[low] === term;
  }
}

/** Sorted, each once; in place. */
function* distinct(terms: Int32Array): Steps<Int32Array> {
  yield* sortAscending(terms);
  let kept = 0;
  for (let i = 0; i < terms.length; i += 1) {
    const term = terms[i] ?? 0;
    if (kept === 0 || terms[kept - 1] !== term) {
      terms[kept] = term;
      kept += 1;
    }
    if ((i + 1) % stepUnits === 0) yield;
  }
  return terms.subarray(0, kept);
}
