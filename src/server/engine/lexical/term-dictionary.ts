/**
 * All strings the keyword index knows. A string can be a **word** (a folded form that occurs in documents: `runs`) and a **term** (a stem
 * that words share: `run`); postings belong to terms, while prefixes and typos are looked up among words, as people type them.
 * A word that no living document holds (`documents` 0) is not found. Lookup is a hash; order is kept as a sorted permutation that takes
 * in new strings before it is read, and whenever enough have come: binary search for each and one copy.
 */

import { Utf8Scratch } from '../memory/bytes.ts';
import { BytesList } from '../memory/bytes-list.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import { KeyTable } from '../memory/key-table.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { roomSteps, withRoom } from '../memory/with-room.ts';
import { isPauseDue, runSteps, type Steps, stepUnits } from '../steps.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { english } from '../text/english.ts';
import type { DictionaryCounts } from './dictionary-counts.ts';
import { KeptByUse } from './kept-by-use.ts';
import type { KeptNearWords } from './kept-near-words.ts';
import { hasMoreBits, letterSet, NearLetters, OrderedLetterSets } from './letter-sets.ts';
import { OtherCounts } from './other-counts.ts';
import { placeBeyond, placeOf } from './sorted-places.ts';
import { withNewStrings } from './with-new-strings.ts';
import { WordMarks } from './word-marks.ts';

const NONE = -1;
/** Strings taken over without a pause, and new ones that wait for their place in the order. */
const stepStrings = stepUnits / 4;
const unsortedMax = 512;
/** Strings that may be compared without a pause, and of work, to compare one letter by letter. */
const stepPlaces = 256;
const comparedUnits = 64;
/** Different first letters; Chinese has thousands. */
const beginningsMax = 1_000;

/** The terms that a beginning stands for, as they are while no word with its first letter comes or goes. */
interface KeptTerms {
  own: number;
  longer: Int32Array;
  changes: number;
  bytes: number;
}

export class TermDictionary {
  readonly analyzer: Analyzer;
  #strings = new BytesList();
  #table = new KeyTable(this.#strings);
  /** The term of each string; −1: it is not a word (yet). */
  #termOf = new Int32Array(64).fill(NONE);
  /** Living documents that hold the word. */
  #documents = new Uint32Array(64);
  others = new OtherCounts();
  /** By term: its words that a living document holds. */
  #livingWords = new Uint32Array(64);
  /** Which letters a string has, as `letterSet` says. */
  #letterSets = new Uint32Array(64);
  #sorted = new Int32Array(0);
  /** Of the order they were read from. */
  #firstLetters: { of: Int32Array | null; letters: string[] } = { of: null, letters: [] };
  readonly #setsInOrder = new OrderedLetterSets();
  readonly #utf8 = new Utf8Scratch();
  /** By first byte: words that came or went. */
  readonly #changes = new Uint32Array(256);
  /** What beginnings stand for. */
  readonly kept = new KeptByUse<KeptTerms>();
  marks = new WordMarks();
  /** What resembles words. */
  readonly nearWords = new KeptByUse<KeptNearWords>();

  constructor(analyzer = english) {
    this.analyzer = analyzer;
  }

  get count(): number {
    return this.#strings.count;
  }

  get memoryBytes(): number {
    const columns = [this.#termOf, this.#documents, this.#livingWords, this.#letterSets];
    const parts = [this.#strings, this.#table, this.others, this.marks];
    const kept = this.kept.bytes + this.nearWords.bytes + this.#setsInOrder.bytes;
    const own = [...columns, this.#sorted, this.#changes].reduce((sum, each) => sum + each.byteLength, kept);
    return parts.reduce((sum, { memoryBytes }) => sum + memoryBytes, own);
  }

  /** The word's number, given on first sight. */
  addWord(word: string): number {
    const known = this.#table.find(this.#utf8.encode(word));
    if (known >= 0 && this.termOf(known) !== NONE) return known;
    const id = known >= 0 ? known : this.addString(this.#utf8.encode(word), letterSet(word));
    const stemmed = this.analyzer.stem(word);
    // Before the assignment: a new term may replace the array by a longer one.
    const term = stemmed === word ? id : this.addTerm(stemmed);
    this.#termOf[id] = term;
    this.marks.add(id, term);
    return id;
  }

  /** The term's number, given on first sight. */
  addTerm(term: string): number {
    const bytes = this.#utf8.encode(term);
    const known = this.#table.find(bytes);
    return known >= 0 ? known : this.addString(bytes, letterSet(term));
  }

  /** Asked before, as steps that do nothing cost something too. */
  hasRoom(count: number): boolean {
    return this.count + count <= this.#termOf.length && this.#table.hasRoom(count);
  }

  /** Makes room for so many more strings, so that adding them does not make large arrays grow. */
  *reserve(count: number): Steps<void> {
    const strings = this.count + count;
    yield* this.#table.reserve(count);
    if (strings <= this.#termOf.length) return;
    this.#termOf = yield* roomSteps(this.#termOf, strings, NONE);
    this.#documents = yield* roomSteps(this.#documents, strings);
    yield* this.others.reserve(strings);
    this.#livingWords = yield* roomSteps(this.#livingWords, strings);
    this.#letterSets = yield* roomSteps(this.#letterSets, strings);
  }

  /** The string must be new. */
  addString(bytes: Uint8Array, letters: number): number {
    const id = this.#strings.push(bytes);
    this.#table.add(id, bytes);
    this.#termOf = withRoom(this.#termOf, id + 1, NONE);
    this.#documents = withRoom(this.#documents, id + 1);
    this.others.makeRoom(id + 1);
    this.#livingWords = withRoom(this.#livingWords, id + 1);
    this.#letterSets = withRoom(this.#letterSets, id + 1);
    this.#letterSets[id] = letters;
    return id;
  }

  /** −1: no living document holds the word. */
  findWord(word: string): number {
    const id = this.#table.find(this.#utf8.encode(word));
    return id >= 0 && this.documentsOf(id) > 0 ? id : NONE;
  }

  /** The term of a word of text, −1: nothing known shares it. The word itself may never have occurred. */
  termForQuery(word: string): number {
    const id = this.#table.find(this.#utf8.encode(word));
    if (id >= 0 && this.termOf(id) !== NONE) return this.termOf(id);
    return this.#table.find(this.#utf8.encode(this.analyzer.stem(word)));
  }

  /**
   * A superset of the words that are `typosMax` typos, 1 or 2, away. Those that begin with the same letter are compared, if their set of letters
   * differs by at most two a typo and their number by one. A typo in the first letter counts two, so that all else is the same: such words
   * are looked up, unless there are more first letters than looking at all words costs. Comparing 200,000 letter by letter took 60 ms,
   * comparing their sets 0.3.
   */
  *wordsLike(word: string, typosMax: number): Steps<number[]> {
    const characters = [...word];
    const words: number[] = [];
    const looksAtAll = typosMax > 1 && this.#beginnings().length > beginningsMax;
    const among = looksAtAll ? this.#inOrder() : this.stringsFrom(characters[0] ?? '');
    const first = looksAtAll ? '' : (characters[0] ?? '');
    const strings = this.#strings;
    const kept = { among, order: this.#inOrder(), sets: this.#letterSets, strings };
    const ordered = yield* this.#setsInOrder.of(first, kept);
    const near = new NearLetters(word, typosMax);
    for (let from = 0; from < among.length; from += stepPlaces) {
      const to = Math.min(from + stepPlaces, among.length);
      const { compared } = near;
      for (let place = from; place < to; place += 1) {
        const id = near.isNear(ordered, place) ? (among[place] ?? NONE) : NONE;
        if (id !== NONE && this.documentsOf(id) > 0) words.push(id);
      }
      if (isPauseDue(to - from + (near.compared - compared) * comparedUnits)) yield;
    }
    if (typosMax < 2 || looksAtAll) return words;
    return [...new Set([...words, ...this.#withOtherFirstLetter(characters)])];
  }

  /** A superset of the words with the same first letter of which a beginning is `typosMax` typos away: each typo takes one of its letters. */
  *wordsBegunLike(prefix: string, typosMax: number): Steps<number[]> {
    const [first = ''] = prefix;
    const among = this.stringsFrom(first);
    const wanted = letterSet(prefix);
    const words: number[] = [];
    for (const [i, id] of among.entries()) {
      if ((i + 1) % stepUnits === 0) yield;
      const missing = wanted & ~(this.#letterSets[id] ?? 0);
      if (!hasMoreBits(missing, typosMax) && this.documentsOf(id) > 0) words.push(id);
    }
    return words;
  }

  /** Words that a typo in the first letter leads to: it is missing, swapped with the second, another one, or one too many stands before it. */
  #withOtherFirstLetter([first = '', second = '', ...others]: string[]): Set<number> {
    const rest = second + others.join('');
    const texts = [rest, second + first + others.join('')];
    for (const letter of this.#beginnings()) texts.push(letter + rest, letter + first + rest);
    return new Set(texts.map((text) => this.findWord(text)).filter((id) => id !== NONE));
  }

  /** The letters that strings begin with, in order; of more than `beginningsMax` the first ones. */
  #beginnings(): string[] {
    const sorted = this.#inOrder();
    if (this.#firstLetters.of === sorted) return this.#firstLetters.letters;
    const letters: string[] = [];
    for (let place = 0; place < sorted.length && letters.length <= beginningsMax; ) {
      const [letter = ''] = this.textOf(sorted[place] ?? 0);
      letters.push(letter);
      place = letter === '' ? place + 1 : placeBeyond(this.#strings, sorted, this.#utf8.encode(letter));
    }
    this.#firstLetters = { of: sorted, letters };
    return letters;
  }

  textOf(id: number): string {
    return decoder.decode(this.#strings.at(id));
  }

  bytesOf(id: number): Uint8Array {
    return this.#strings.at(id);
  }

  /** Copies a string's bytes into `target`, which has room for them; answers how many they are. */
  copyBytes(target: Uint8Array, id: number): number {
    return this.#strings.copyTo(target, id);
  }

  termOf(word: number): number {
    return this.#termOf[word] ?? NONE;
  }

  documentsOf(word: number): number {
    return this.#documents[word] ?? 0;
  }

  /** Words of a term that a living document holds. */
  livingWordsOf(term: number): number {
    return this.#livingWords[term] ?? 0;
  }

  countDocument(word: number, change: 1 | -1): void {
    const before = this.documentsOf(word);
    this.#documents[word] = before + change;
    if (this.nearWords.bytes > 0) this.nearWords.clear();
    if (before === 0) this.#countWord(word, 1);
    if (before + change === 0) this.#countWord(word, -1);
    if (before !== 0 && before + change !== 0) return;
    const [first = 0] = this.#strings.at(word);
    this.#changes[first] = (this.#changes[first] ?? 0) + 1;
  }

  /** How often a word with the same first letter came or went. */
  changesOf(word: string): number {
    const [first = 0] = this.#utf8.encode(word);
    return this.#changes[first] ?? 0;
  }

  /** The same of a document that holds it as another word of its texts; `isAlone`: it is none of its words. */
  countOther(word: number, change: 1 | -1, isAlone: boolean): void {
    this.others.countHeld(this.termOf(word), change);
    if (isAlone) this.others.count(word, change);
    if (isAlone) this.countDocument(word, change);
  }

  /** Takes new strings into the order in small parts, so that no search pays for all (0.2 s for 100,000). */
  *settle(): Steps<void> {
    if (this.isUnsettled) this.#sorted = yield* withNewStrings(this.#strings, this.#sorted);
  }

  get isUnsettled(): boolean {
    return this.count - this.#sorted.length >= unsortedMax;
  }

  /** Words that begin with `prefix`, itself included, in order. */
  *wordsFrom(prefix: string): Steps<number[]> {
    const words: number[] = [];
    const strings = this.stringsFrom(prefix);
    for (const [i, id] of strings.entries()) {
      if (this.documentsOf(id) > 0) words.push(id);
      if ((i + 1) % stepUnits === 0) yield;
    }
    return words;
  }

  /** All strings that begin with `prefix`, in order: words, terms, and words that no living document holds. */
  stringsFrom(prefix: string): Int32Array {
    const sorted = this.#inOrder();
    const bytes = this.#utf8.encode(prefix);
    const from = placeOf(this.#strings, sorted, bytes);
    return sorted.subarray(from, placeBeyond(this.#strings, sorted, bytes));
  }

  /** What changes when documents come and go, as it is: some milliseconds for a million words. */
  copyCounts(): DictionaryCounts {
    const [termOf, documents] = [this.#termOf.slice(), this.#documents.slice()];
    return {
      count: this.count,
      termOf,
      documents,
      livingWords: this.#livingWords.slice(),
      others: this.others.copy(),
    };
  }

  /** The strings that `keeps` wants, in their order, and the new number of each old one (−1: left out). Terms of kept words are kept. Documents may come and go between two steps. */
  *compacted(
    keeps: (counted: { documents: number; livingWords: number }) => boolean,
    counts = this.copyCounts(),
  ): Steps<{ dictionary: TermDictionary; renumbered: Int32Array }> {
    const dictionary = new TermDictionary(this.analyzer);
    const { count, termOf, others } = counts;
    const renumbered = yield* fillSteps(new Int32Array(count), NONE);
    let kept = 0;
    for (let id = 0; id < count; id += 1) {
      if (keeps({ documents: counts.documents[id] ?? 0, livingWords: counts.livingWords[id] ?? 0 })) {
        renumbered[id] = kept;
        kept += 1;
      }
      if ((id + 1) % stepUnits === 0) yield;
    }
    yield* dictionary.reserve(kept);
    for (let id = 0; id < count; id += 1) {
      if (renumbered[id] !== NONE) dictionary.addString(this.#strings.at(id), this.#letterSets[id] ?? 0);
      if ((id + 1) % stepStrings === 0) yield;
    }
    for (let id = 0; id < count; id += 1) {
      if ((id + 1) % stepUnits === 0) yield;
      const moved = renumbered[id] ?? NONE;
      if (moved === NONE) continue;
      dictionary.others.countHeld(moved, others.heldOf(id));
      const term = termOf[id] ?? NONE;
      if (term !== NONE) dictionary.#termOf[moved] = renumbered[term] ?? NONE;
      dictionary.#documents[moved] = counts.documents[id] ?? 0;
      const held = others.of(id);
      if (held > 0) dictionary.others.count(moved, held);
    }
    yield* dictionary.#countWords();
    dictionary.marks = yield* this.marks.compacted(renumbered, (word) => dictionary.termOf(word));
    dictionary.#sorted = yield* this.#renumberedOrder(renumbered, dictionary.count);
    return { dictionary, renumbered };
  }

  *#renumberedOrder(renumbered: Int32Array, count: number): Steps<Int32Array<ArrayBuffer>> {
    const sorted = new Int32Array(count);
    let place = 0;
    for (const [i, id] of this.#inOrder().entries()) {
      const moved = id < renumbered.length ? (renumbered[id] ?? NONE) : NONE;
      if (moved !== NONE) {
        sorted[place] = moved;
        place += 1;
      }
      if ((i + 1) % stepUnits === 0) yield;
    }
    return sorted;
  }

  encode(writer: SectionWriter): void {
    this.#strings.encode(writer);
    writer.array(this.#termOf.subarray(0, this.count));
    writer.array(this.#documents.subarray(0, this.count));
    this.others.encode(writer, this.count);
    writer.array(this.#letterSets.subarray(0, this.count));
    writer.array(this.#inOrder());
  }

  static *decode(reader: SectionReader, analyzer = english): Steps<TermDictionary> {
    const dictionary = new TermDictionary(analyzer);
    dictionary.#strings = yield* BytesList.decode(reader);
    dictionary.#table = yield* KeyTable.of(dictionary.#strings);
    dictionary.#termOf = yield* reader.int32();
    dictionary.#documents = yield* reader.uint32();
    dictionary.others = yield* OtherCounts.decode(reader);
    dictionary.#letterSets = yield* reader.uint32();
    dictionary.#sorted = yield* reader.int32();
    yield* dictionary.#countWords();
    return dictionary;
  }

  *#countWords(): Steps<void> {
    this.#livingWords = new Uint32Array(this.count);
    for (let id = 0; id < this.count; id += 1) {
      if (this.documentsOf(id) > 0) this.#countWord(id, 1);
      if ((id + 1) % stepUnits === 0) yield;
    }
  }

  #countWord(word: number, change: 1 | -1): void {
    const term = this.termOf(word);
    this.#livingWords[term] = this.livingWordsOf(term) + change;
  }

  /** All strings; those that are not in the order yet are at most `unsortedMax`, unless a document is half there. */
  #inOrder(): Int32Array {
    if (this.#sorted.length < this.count)
      this.#sorted = runSteps(withNewStrings(this.#strings, this.#sorted));
    return this.#sorted;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
