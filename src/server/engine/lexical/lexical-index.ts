/**
 * The keyword side of an index: which words stand how often in which field of which document. Figures that scores are made of (documents
 * with a word, lengths) always describe the living documents only, so that an index answers the same however its documents came about.
 * Adding and forgetting a document cost its words.
 */
import type { FieldText } from '../documents/text-fields.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { type Steps, stepUnits } from '../steps.ts';
import { type Analyzer, textParts } from '../text/analyzer.ts';
import { english } from '../text/english.ts';
import type { DictionaryCounts } from './dictionary-counts.ts';
import { type DocumentTerms, giveBackDocumentTerms, takeDocumentTerms } from './document-terms.ts';
import { FieldLengths, fieldsMax } from './field-lengths.ts';
import { KeptByUse } from './kept-by-use.ts';
import type { KeptPhrase } from './kept-phrase.ts';
import { giveBackOccurrences, type Occurrences, takeOccurrences } from './occurrences.ts';
import { Postings } from './postings.ts';
import { PrefixLists } from './prefix-lists.ts';
import { TermDictionary } from './term-dictionary.ts';
import { otherMark } from './word-marks.ts';

/** Terms that are taken in without a pause, and words. */
const stepTerms = 512;
/** What a document is called stands in these, wherever else it may: names of the top level. */
const titleFields: readonly string[] = ['title', 'name'];
/** What it takes to read a part of a text, in words. */
const partWords = 64;
/** And a word that is new, in words: some stemmers take a seventh of a millisecond. */
const newWords = 16;

/** What is counted of a document. Others are words that stand beside its words, and count for no length. */
interface Counted {
  words: Occurrences;
  others: Occurrences;
  terms: DocumentTerms;
}

/** By number of the field. */
type Fields = Map<number, string[]>;
/** Words that count, by field. */
type Lengths = [field: number, length: number][];

export class LexicalIndex {
  readonly analyzer: Analyzer;
  #dictionary: TermDictionary;
  #lengths = new FieldLengths();
  #postings = new Postings(this.#lengths);
  /** Of the index as it is: a compaction leaves them behind. */
  readonly prefixes = new PrefixLists();
  /** Who holds phrases, until a document comes or goes. */
  readonly phrases = new KeptByUse<KeptPhrase>();
  /** What fields count where a search names none: of so many fields and with the weight of titles that was last asked for twice in a row. */
  #usual: { key: string; weights: Float64Array } | null = null;
  #lastAsked = '';
  #fields: string[] = [];
  #fieldNumbers = new Map<string, number>();

  constructor(analyzer = english) {
    this.analyzer = analyzer;
    this.#dictionary = new TermDictionary(analyzer);
  }

  get dictionary(): TermDictionary {
    return this.#dictionary;
  }

  get postings(): Postings {
    return this.#postings;
  }

  get lengths(): FieldLengths {
    return this.#lengths;
  }

  get memoryBytes(): number {
    const parts = [this.#dictionary, this.#postings, this.#lengths, this.prefixes];
    return parts.reduce((sum, { memoryBytes }) => sum + memoryBytes, this.phrases.bytes);
  }

  /** Ordinals come one after the other, from 0. Until all steps are done the document is half there. */
  *add(ordinal: number, texts: FieldText[]): Steps<void> {
    this.phrases.clear();
    const counted = takeCounted();
    this.#lengths.push(yield* this.#read(this.#byField(texts), counted));
    yield* this.#countWords(counted.words, { from: 0, change: 1, but: null });
    yield* this.#countOthers(counted.others, { change: 1, but: null, words: [counted.words] });
    yield* this.#addPostings(ordinal, counted.terms);
    yield* giveBack(counted);
    if (this.#dictionary.isUnsettled) yield* this.#dictionary.settle();
  }

  /** `texts` must be those it was added with. Until all steps are done the document is half there. */
  *forget(ordinal: number, texts: FieldText[]): Steps<void> {
    this.phrases.clear();
    const counted = takeCounted();
    yield* this.#read(this.#byField(texts), counted);
    yield* this.#countWords(counted.words, { from: 0, change: -1, but: null });
    yield* this.#countOthers(counted.others, { change: -1, but: null, words: [counted.words] });
    yield* this.#forgetPostings(counted.terms, null);
    this.#lengths.forget(ordinal);
    yield* giveBack(counted);
  }

  /**
   * Forgets the former document and adds another one. What both have in a field is read once, and its words are not counted anew: what was found out
   * about words stays true.
   */
  *replace(
    former: { ordinal: number; texts: FieldText[] },
    ordinal: number,
    texts: FieldText[],
  ): Steps<void> {
    this.phrases.clear();
    const { same, gone, come } = compareFields(this.#byField(former.texts), this.#byField(texts));
    const counted = takeCounted();
    const lengths = yield* this.#read(same, counted);
    const { words, others, terms } = counted;
    const sameWords = words.size;
    yield* this.#forgetPostings(terms, null);
    if (gone.size > 0) {
      const before = takeCounted();
      yield* this.#read(gone, before);
      yield* this.#forgetPostings(before.terms, terms);
      yield* this.#countWords(before.words, { from: 0, change: -1, but: words });
      const held = [words, before.words];
      yield* this.#countOthers(others, { change: -1, but: null, words: held });
      yield* this.#countOthers(before.others, { change: -1, but: others, words: held });
      yield* giveBack(before);
    } else if (come.size > 0) yield* this.#countOthers(others, { change: -1, but: null, words: [words] });
    this.#lengths.forget(former.ordinal);
    lengths.push(...(yield* this.#read(come, counted)));
    this.#lengths.push(lengths);
    yield* this.#countWords(words, { from: sameWords, change: 1, but: null });
    if (gone.size + come.size > 0) yield* this.#countOthers(others, { change: 1, but: null, words: [words] });
    yield* this.#addPostings(ordinal, terms);
    yield* giveBack(counted);
    if (this.#dictionary.isUnsettled) yield* this.#dictionary.settle();
  }

  /** The number that a field's postings bear; −1: no document ever had it. Fields beyond the limit share the last one. */
  fieldNumber(name: string): number {
    const known = this.#fieldNumbers.get(name);
    if (known !== undefined) return known;
    return this.#fields.length < fieldsMax ? -1 : fieldsMax - 1;
  }

  /** The field that alone bears a number; null: several share it. */
  fieldNamed(number: number): string | null {
    const isShared = number === fieldsMax - 1;
    return isShared ? null : (this.#fields[number] ?? null);
  }

  /**
   * Weights by field number for fields by name; unknown ones have no words. To the nearest 1/65,536: sums over fields are exact then, and do not
   * depend on the order in which the index met the fields.
   */
  weightsOf(fields: { name: string; weight: number }[]): Float64Array {
    const weights = new Float64Array(this.#fields.length);
    for (const { name, weight } of fields) {
      const field = this.#fieldNumbers.get(name);
      if (field !== undefined) weights[field] = inSteps(weight);
    }
    return weights;
  }

  /** Numbers of the fields that titles stand in. */
  titleFields(): number[] {
    return titleFields.flatMap((name) => this.#fieldNumbers.get(name) ?? []);
  }

  /** What fields count in a search; null: all alike. @param fields null: all, of which titles count `titleWeight` */
  searchedWeights(
    fields: { name: string; weight: number }[] | null,
    titleWeight: number,
  ): Float64Array | null {
    if (fields !== null) return this.weightsOf(fields);
    const titles = this.titleFields();
    if (titles.length === 0 || titleWeight === 1) return null;
    const key = `${titleWeight} ${this.#fields.length}`;
    const isAsBefore = this.#lastAsked === key;
    this.#lastAsked = key;
    if (this.#usual?.key === key) return this.#usual.weights;
    const weights = new Float64Array(this.#fields.length).fill(1);
    for (const field of titles) weights[field] = inSteps(titleWeight);
    if (isAsBefore) {
      this.#usual = { key, weights };
      this.#lengths.keep(weights);
    }
    return weights;
  }

  /** What `compacted` makes the copy of. */
  copyCounts(): DictionaryCounts {
    return this.#dictionary.copyCounts();
  }

  /** Without dead postings and the words only they had, as it was when `counts` were copied: documents may come and go between two steps. */
  *compacted(ordinals: Int32Array, counts = this.copyCounts()): Steps<LexicalIndex> {
    const index = new LexicalIndex(this.analyzer);
    const { dictionary, renumbered } = yield* this.#dictionary.compacted(
      ({ documents, livingWords }) => documents > 0 || livingWords > 0,
      counts,
    );
    index.#dictionary = dictionary;
    index.#lengths = yield* this.#lengths.compacted(ordinals);
    index.#postings = yield* this.#postings.compacted(renumbered, ordinals, index.#lengths);
    for (const name of this.#fields) index.#numberFor(name);
    return index;
  }

  *encode(writer: SectionWriter): Steps<void> {
    writer.text(JSON.stringify(this.#fields));
    this.#dictionary.encode(writer);
    this.#lengths.encode(writer);
    yield* this.#postings.encode(writer);
    this.#dictionary.marks.encode(writer, this.#dictionary.count);
  }

  static *decode(reader: SectionReader, analyzer = english): Steps<LexicalIndex> {
    const index = new LexicalIndex(analyzer);
    for (const name of JSON.parse(yield* reader.text()) as string[]) index.#numberFor(name);
    index.#dictionary = yield* TermDictionary.decode(reader, analyzer);
    index.#lengths = yield* FieldLengths.decode(reader);
    index.#postings = yield* Postings.decode(reader, index.#lengths);
    const { marks, count } = index.#dictionary;
    yield* marks.decode(reader, count, (word) => index.#dictionary.termOf(word));
    return index;
  }

  /** The terms as postings of a document. */
  *#addPostings(ordinal: number, terms: DocumentTerms): Steps<void> {
    const postings = this.#postings;
    const { forms } = postings;
    let units = 0;
    for (let place = 0; place < terms.size; place += 1) {
      const rest = Math.min(stepTerms, terms.size - place);
      if (place % stepTerms === 0) {
        if (!postings.hasRoom(rest)) yield* postings.reserve(rest);
        if (!forms.hasRoom(rest, terms.partCount)) yield* forms.reserve(rest, terms.partCount);
      }
      const term = terms.termAt(place);
      const count = terms.readParts(term);
      postings.add(term, ordinal, forms.numberOf(terms.parts, count));
      units += 1 + count;
      if (units < stepTerms) continue;
      units = 0;
      yield;
    }
  }

  /** `but`: those that have these keep it. */
  *#forgetPostings(terms: DocumentTerms, but: DocumentTerms | null): Steps<void> {
    for (let place = 0; place < terms.size; place += 1) {
      const term = terms.termAt(place);
      if (but?.has(term) !== true) this.#postings.forget(term);
      if ((place + 1) % stepUnits === 0) yield;
    }
  }

  /** Counts a document in or out of the words it holds, those from a place on that others do not have. */
  *#countWords(
    words: Occurrences,
    { from, change, but }: { from: number; change: 1 | -1; but: Occurrences | null },
  ): Steps<void> {
    for (let place = from; place < words.size; place += 1) {
      const word = words.numberAt(place);
      if (but?.has(word) !== true) this.#dictionary.countDocument(word, change);
      if ((place + 1) % stepUnits === 0) yield;
    }
  }

  /** The same of words beside its words. */
  *#countOthers(
    others: Occurrences,
    { change, but, words }: { change: 1 | -1; but: Occurrences | null; words: Occurrences[] },
  ): Steps<void> {
    for (let place = 0; place < others.size; place += 1) {
      const word = others.numberAt(place);
      const isAlone = !words.some((each) => each.has(word));
      if (but?.has(word) !== true) this.#dictionary.countOther(word, change, isAlone);
      if ((place + 1) % stepUnits === 0) yield;
    }
  }

  /** What fields hold, and how many words count for the length of each. */
  *#read(fields: Fields, counted: Counted): Steps<Lengths> {
    const lengths: Lengths = [];
    let units = 0;
    for (const [field, texts] of fields) {
      const length = yield* this.#readField(field, texts, counted);
      lengths.push([field, length]);
      units += length + partWords;
      if (units < stepTerms) continue;
      units = 0;
      yield;
    }
    return lengths;
  }

  #byField(texts: FieldText[]): Fields {
    const byField: Fields = new Map();
    for (const { path, text } of texts) {
      const field = this.#numberFor(path);
      const own = byField.get(field);
      if (own === undefined) byField.set(field, [text]);
      else own.push(text);
    }
    return byField;
  }

  /** Answers how many words count for the length. */
  *#readField(field: number, texts: string[], { words, others, terms }: Counted): Steps<number> {
    const dictionary = this.#dictionary;
    const { words: rules, stopWords } = this.analyzer;
    let length = 0;
    let units = 0;
    for (const text of texts) {
      for (const part of textParts(text, rules)) {
        // Each may be new, and its term too.
        const strings = 2 * (part.words.length + part.others.length);
        if (!dictionary.hasRoom(strings)) yield* dictionary.reserve(strings);
        for (const token of part.words) {
          const known = dictionary.count;
          const word = dictionary.addWord(token);
          if (dictionary.count > known) units += newWords;
          words.add(word);
          terms.add(dictionary.termOf(word), field, dictionary.marks.of(word));
          if (!stopWords.has(token)) length += 1;
          if (units < stepTerms) continue;
          units = 0;
          yield;
        }
        for (const other of part.others) {
          const known = dictionary.count;
          const word = dictionary.addWord(other.word);
          if (dictionary.count > known) units += newWords;
          others.add(word);
          terms.add(dictionary.termOf(word), field, otherMark);
          if (units < stepTerms) continue;
          units = 0;
          yield;
        }
        units += strings / 2 + partWords;
        if (units < stepTerms) continue;
        units = 0;
        yield;
      }
    }
    return length;
  }

  /** The last number is shared by all fields beyond the limit: they are searched with the others, but not by name. */
  #numberFor(name: string): number {
    const known = this.#fieldNumbers.get(name);
    if (known !== undefined) return known;
    const number = Math.min(this.#fields.length, fieldsMax - 1);
    if (this.#fields.length < fieldsMax) {
      this.#fields.push(name);
      this.#fieldNumbers.set(name, number);
    }
    return number;
  }
}

/** Fields of the same texts; those of the former document, and of the one in its place, that are not. */
function compareFields(former: Fields, own: Fields): { same: Fields; gone: Fields; come: Fields } {
  const isSame = (field: number, texts: string[], others: Fields) => {
    const other = others.get(field);
    return other?.length === texts.length && texts.every((text, i) => text === other[i]);
  };
  return {
    same: new Map([...own].filter(([field, texts]) => isSame(field, texts, former))),
    gone: new Map([...former].filter(([field, texts]) => !isSame(field, texts, own))),
    come: new Map([...own].filter(([field, texts]) => !isSame(field, texts, former))),
  };
}

function takeCounted(): Counted {
  return { words: takeOccurrences(), others: takeOccurrences(), terms: takeDocumentTerms() };
}

/** In steps where they are many. */
function* giveBack({ words, others, terms }: Counted): Steps<void> {
  for (const each of [words, others, terms])
    for (; each.size > 0; each.clearSome()) if (each.size > stepUnits) yield;
  giveBackOccurrences(words);
  giveBackOccurrences(others);
  giveBackDocumentTerms(terms);
}

const WEIGHT_STEPS = 65_536;
/** Sums of such weights times frequencies and lengths are exact, and far from what a number can hold. */
const weightMax = 65_536;

/** A field that counts at all counts at least one step. */
function inSteps(weight: number): number {
  if (!(weight > 0)) return 0;
  return Math.max(1, Math.round(Math.min(weight, weightMax) * WEIGHT_STEPS)) / WEIGHT_STEPS;
}
