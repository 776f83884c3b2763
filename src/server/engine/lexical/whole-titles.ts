/**
 * Documents whose title is what was asked for: a field that titles stand in has all words of the query and no others, stop words aside. Whoever
 * types a title means what bears it, however often others hold its words (Algolia's criterion "exact", Meilisearch's "exactness").
 *
 * Words count by their terms, in any order; one that nobody holds counts as its nearest neighbours, or, the last one, as the few words that it
 * begins. Costs the postings of the rarest word, and a look for each document with the right words in a title into the lists of the others.
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
/** Documents that hold what a word may stand for, and letters of a word that stands for those it begins. */
const standInsMax = 4_096;
const begunMin = 3;
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

interface AskedWord {
  word: QueryWord;
  /** Of all indexes that are searched together. */
  figures: Pick<WordFigures, 'own' | 'exact' | 'near'>;
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
  const titleWords = words.length <= wordsMax ? words.map((word) => toTitleWord(index, word)) : [];
  const [rarest, ...others] = titleWords.sort((a, b) => a.postings - b.postings);
  if (rarest === undefined || rarest.postings === 0) return null;
  const { stopWords } = index.analyzer;
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

function toTitleWord({ postings }: LexicalIndex, { word, figures }: AskedWord): TitleWord {
  const terms = figures.own > 0 ? Int32Array.of(word.exact.own) : standIns(word, figures);
  const postingsOf = (term: number) => {
    const list = term < 0 ? -1 : postings.listOf(term);
    return list < 0 ? 0 : postings.lengthOf(list);
  };
  return { terms, count: word.count, postings: terms.reduce((sum, term) => sum + postingsOf(term), 0) };
}

/** What a word that nobody holds may be: the words that it begins, or its nearest neighbours, as long as few documents hold them. */
function standIns(
  { text, exact, synonyms, neighbours }: QueryWord,
  figures: AskedWord['figures'],
): Int32Array {
  const isBegun = figures.exact > 0;
  const isNamed = synonyms.some(({ isBreak }) => !isBreak);
  if (isNamed || (isBegun ? figures.exact : figures.near) > standInsMax) return new Int32Array(0);
  if (isBegun) return text.length < begunMin ? new Int32Array(0) : exact.longer;
  const nearest = neighbours[0]?.distance;
  const near = neighbours.filter(({ distance, term }) => distance === nearest && term >= 0);
  return Int32Array.from(new Set(near.map(({ term }) => term)));
}

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
