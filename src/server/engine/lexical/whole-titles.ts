/**
 * Documents whose title is what was asked for: a field that titles stand in has all words of the query and no others, stop words aside. Whoever
 * types a title means what bears it, however often others hold its words (Algolia's criterion "exact", Meilisearch's "exactness").
 *
 * Words count by their terms, in any order, and by all that the query reads them as: the last one as those that it begins, one with typos as its
 * neighbours. A word that is the only one counts as something else where nobody holds it, and then as its nearest neighbours.
 * Costs the postings of the rarest word, and a look for each document with the right words in a title into the lists of the others.
 */
import { Bitset } from '../bits/bitset.ts';
import type { WordFigures } from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { PostingCursor } from './posting-cursor.ts';
import type { PostingForms } from './posting-forms.ts';
import { blockPostings } from './postings.ts';
import type { QueryWord } from './query-words.ts';

/** Words of a title that is looked for. */
const wordsMax = 32;
/** Documents that hold what the rarest word may stand for, and letters of a word that stands for those it begins. */
const standInsMax = 4_096;
const begunMin = 3;
/** Words that one begins which is a word itself; of more it is as telling. */
const begunWordsMax = 128;
const elsewhere = 1;
const inTitle = 2;
/** Of work, to come to a block. */
const blockUnits = 64;
/** Of work, to look for a document in a list. */
const lookUnits = 16;

/** Null where there is none. */
export interface TitledDocuments {
  documents: Bitset;
  /** To the score of each. */
  adds: number;
}

export interface AskedWord {
  word: QueryWord;
  /** Of all indexes that are searched together. */
  figures: Pick<WordFigures, 'own' | 'exact'>;
  /** Documents that hold its neighbours, all of them and the nearest, and how far away these are. */
  near: { all: number; nearest: number; distance: number };
}

interface Asked {
  /** Those that find documents. */
  words: readonly AskedWord[];
  live: Bitset;
  /** By field number; null: every field at 1. */
  weights: Float64Array | null;
}

/** A word of the title: what it may be, and how often it has to be there. */
interface TitleWord {
  terms: Int32Array;
  count: number;
  postings: number;
}

/** Null: there is none. */
export function* wholeTitles(index: LexicalIndex, { words, live, weights }: Asked): Steps<Bitset | null> {
  const { stopWords } = index.analyzer;
  const titleWords = words.length <= wordsMax ? toTitleWords(index, words) : [];
  const [rarest, ...others] = titleWords.sort((a, b) => a.postings - b.postings);
  if (rarest === undefined || rarest.postings === 0) return null;
  const length = words.reduce((sum, { word: { text, count } }) => sum + (stopWords.has(text) ? 0 : count), 0);
  let found: Bitset | null = null;
  for (const field of index.titleFields()) {
    if (weights !== null && !((weights[field] ?? 0) > 0)) continue;
    let titled = yield* heldInTitles(index, rarest, { field, length, live });
    for (const other of others) titled = yield* heldToo(index, other, { field, titled });
    if (titled.length === 0) continue;
    found ??= new Bitset(live.words.length << 5);
    for (const ordinal of titled) found.add(ordinal);
    if (isPauseDue(titled.length)) yield;
  }
  return found;
}

function toTitleWords({ analyzer, postings }: LexicalIndex, words: readonly AskedWord[]): TitleWord[] {
  const isOnly = words.filter(({ word }) => !analyzer.stopWords.has(word.text)).length < 2;
  const isRead = Math.min(...words.map((each) => documentsMost(each, isOnly))) <= standInsMax;
  const postingsOf = (term: number) => {
    const list = postings.listOf(term);
    return list < 0 ? 0 : postings.lengthOf(list);
  };
  return words.map((each) => {
    const terms = isRead ? termsOf(each, isOnly) : each.figures.own > 0 ? [each.word.exact.own] : [];
    // Another index may know a term that this one does not.
    const distinct = Int32Array.from(new Set(terms.filter((term) => term >= 0)));
    const count = distinct.reduce((sum, term) => sum + postingsOf(term), 0);
    return { terms: distinct, count: each.word.count, postings: count };
  });
}

/** What a word of a title may be: the only one, if somebody holds it, itself; others also what they begin, and their neighbours. */
function termsOf({ word, figures: { own, exact }, near }: AskedWord, isOnly: boolean): number[] {
  const itself = own > 0 ? [word.exact.own] : [];
  if (isNamed(word) || (isOnly && own > 0)) return itself;
  const begun = isBegun(word, own) ? word.exact.longer : [];
  if (isOnly && exact > 0) return [...begun];
  const others = word.neighbours.filter(({ distance }) => !isOnly || distance === near.distance);
  const terms = others.map(({ term }) => term);
  // What it begins counts for nothing where the search says so.
  return isOnly ? terms : [...itself, ...begun, ...terms];
}

/** Documents of all indexes that hold one of these, at most. */
function documentsMost({ word, figures: { own, exact }, near }: AskedWord, isOnly: boolean): number {
  if (isNamed(word) || (isOnly && own > 0)) return own;
  if (isOnly) return exact || near.nearest;
  return (isBegun(word, own) ? exact : own) + near.all;
}

/** Whether it may be a title's last word that somebody is typing. */
const isBegun = ({ text, exact }: QueryWord, own: number): boolean =>
  text.length >= begunMin && (own === 0 || exact.longer.length <= begunWordsMax);

/** Somebody has named other words for it. */
const isNamed = ({ synonyms }: QueryWord): boolean => synonyms.some(({ isBreak }) => !isBreak);

/** Living documents with the word often enough in a title of this length; ascending. */
function* heldInTitles(
  { postings, lengths }: LexicalIndex,
  { terms, count }: TitleWord,
  { field, length, live }: { field: number; length: number; live: Bitset },
): Steps<number[]> {
  const held: number[] = [];
  const standing = new TitleForms(postings.forms, field, count);
  const [ordinals, forms] = [new Int32Array(blockPostings), new Int32Array(blockPostings)];
  for (const term of terms) {
    const list = postings.listOf(term);
    const blocks = list < 0 ? 0 : postings.blocksOf(list);
    for (let block = 0; block < blocks; block += 1) {
      const size = Math.min(blockPostings, postings.lengthOf(list) - block * blockPostings);
      postings.readForms(list, block, forms);
      if (standing.someIn(forms, size)) {
        postings.readOrdinals(list, block, ordinals);
        for (let i = 0; i < size; i += 1) {
          const ordinal = ordinals[i] ?? 0;
          if (standing.has(forms[i] ?? 0) && live.has(ordinal) && lengths.inField(ordinal, field) === length)
            held.push(ordinal);
        }
      }
      if (isPauseDue(size + blockUnits)) yield;
    }
  }
  // Of several terms there are few.
  return terms.length < 2 ? held : [...new Set(held)].sort((x, y) => x - y);
}

/** Forms with a word often enough in a field; most postings share a few, which are looked at once. */
class TitleForms {
  readonly #forms: PostingForms;
  readonly #field: number;
  readonly #count: number;
  /** By form; 0: it was not looked at. */
  readonly #known: Uint8Array;

  constructor(forms: PostingForms, field: number, count: number) {
    this.#forms = forms;
    this.#field = field;
    this.#count = count;
    this.#known = new Uint8Array(forms.count);
  }

  has(form: number): boolean {
    const known = this.#known[form];
    if (known !== 0) return known === inTitle;
    const isInTitle = this.#forms.frequencyIn(form, this.#field) >= this.#count;
    this.#known[form] = isInTitle ? inTitle : elsewhere;
    return isInTitle;
  }

  someIn(forms: Int32Array, size: number): boolean {
    for (let i = 0; i < size; i += 1) if (this.has(forms[i] ?? 0)) return true;
    return false;
  }
}

/** Those of the documents whose title has the word often enough. */
function* heldToo(
  { postings }: LexicalIndex,
  { terms, count }: TitleWord,
  { field, titled }: { field: number; titled: number[] },
): Steps<number[]> {
  const held: number[] = [];
  const cursor = new PostingCursor(postings);
  for (const term of terms) {
    cursor.open(postings.listOf(term));
    for (const ordinal of titled) {
      if (!cursor.advance(ordinal)) break;
      if (cursor.ordinal === ordinal && postings.forms.frequencyIn(cursor.form, field) >= count)
        held.push(ordinal);
      if (isPauseDue(lookUnits)) yield;
    }
  }
  return terms.length < 2 ? held : [...new Set(held)].sort((x, y) => x - y);
}
