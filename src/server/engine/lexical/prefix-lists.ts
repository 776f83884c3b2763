/**
 * What short beginnings stand for is a large part of the index: thousands of terms, most of the documents. Their lists are kept, so that a letter
 * that is typed costs what a word does. A list that is asked for again takes in the documents that came since; it is made anew when a term
 * came to the beginning that had documents before, or one left it.
 */
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderSums } from './holder-sums.ts';
import { KeptByUse } from './kept-by-use.ts';
import { blockPostings, type Postings } from './postings.ts';
import { PrefixList } from './prefix-list.ts';

/** Fewer postings are merged for each search. */
const postingsMin = 4_096;
/** What all lists may have: so much for each ordinal, at least a megabyte. */
const bytesEach = 48;
const bytesMin = 1 << 20;
/** Of work, to look at a list. */
const listUnits = 8;

/** The terms of a beginning: its own, and of the longer words, ascending. */
interface Terms {
  readonly own: number;
  readonly longer: Int32Array;
}

interface Asked {
  /** Without its synonyms and neighbours. */
  word: { text: string; exact: Terms };
  weights: Float64Array | null;
  /** What a longer word counts beside the word itself. */
  share: number;
  capacity: number;
  scratch: SearchScratch;
}

export class PrefixLists {
  readonly #kept = new KeptByUse<PrefixList>();

  get memoryBytes(): number {
    return this.#kept.bytes;
  }

  /** Null: no list is kept, as it has few postings, or too many different frequencies. */
  *find(postings: Postings, asked: Asked): Steps<PrefixList | null> {
    const { word, weights, share, capacity } = asked;
    const key = [word.text, share, ...(weights ?? [])].join(' ');
    const known = this.#kept.get(key);
    if (known !== undefined && known.upTo === capacity && areSame(known.exact, word.exact))
      return readable(known);
    if (known === undefined && (yield* isShort(postings, word.exact))) return null;
    const isGrown = known !== undefined && (yield* onlyHasNew(postings, known, word.exact));
    const list = isGrown ? known : new PrefixList(word.exact);
    // A search that is ended meanwhile would leave it half grown.
    this.#kept.delete(key);
    yield* grow(list, postings, asked);
    this.#kept.put(key, list, Math.max(bytesMin, capacity * bytesEach));
    return readable(list);
  }
}

function readable(list: PrefixList): PrefixList | null {
  return list.isTooVaried ? null : list;
}

/** Many terms are the same array while they are the same; a few are compared. */
function areSame(a: Terms, b: Terms): boolean {
  if (a.own !== b.own || a.longer.length !== b.longer.length) return false;
  return a.longer === b.longer || a.longer.every((term, i) => b.longer[i] === term);
}

function* isShort(postings: Postings, { own, longer }: Terms): Steps<boolean> {
  let count = own < 0 || postings.listOf(own) < 0 ? 0 : postings.lengthOf(postings.listOf(own));
  for (const term of longer) {
    const list = postings.listOf(term);
    if (list >= 0) count += postings.lengthOf(list);
    if (count >= postingsMin) return false;
    if (isPauseDue(listUnits)) yield;
  }
  return true;
}

/** Whether the terms are those of a list and others all of whose documents came after it was made. */
function* onlyHasNew(postings: Postings, { exact, upTo }: PrefixList, now: Terms): Steps<boolean> {
  if (areSame(exact, now)) return true;
  const ordinals = new Int32Array(blockPostings);
  const isNew = (term: number) => {
    const list = postings.listOf(term);
    if (list < 0) return true;
    postings.readOrdinals(list, 0, ordinals);
    return (ordinals[0] ?? 0) >= upTo;
  };
  if (exact.own !== now.own && (exact.own >= 0 || !isNew(now.own))) return false;
  let before = 0;
  for (const term of now.longer) {
    if (exact.longer[before] === term) before += 1;
    else if (!isNew(term)) return false;
    if (isPauseDue(listUnits)) yield;
  }
  return before === exact.longer.length;
}

function* postingsOf(postings: Postings, { own, longer }: Terms): Steps<number> {
  const lengthOf = (term: number) => {
    const list = term < 0 ? -1 : postings.listOf(term);
    return list < 0 ? 0 : postings.lengthOf(list);
  };
  let count = lengthOf(own);
  for (const term of longer) {
    count += lengthOf(term);
    if (isPauseDue(listUnits)) yield;
  }
  return count;
}

/** Takes in the documents that came since. */
function* grow(list: PrefixList, postings: Postings, asked: Asked): Steps<void> {
  const { word, weights, share, capacity, scratch } = asked;
  const sums = new HolderSums({ postings, live: null, capacity, weights, scratch });
  try {
    if (word.exact.own >= 0) yield* sums.add([word.exact.own], 1, list.upTo);
    yield* sums.add(word.exact.longer, share, list.upTo);
    list.reserve(sums.count, capacity);
    yield* sums.documents.visit((ordinal) => {
      list.push(ordinal, sums.frequencyOf(ordinal));
    });
  } finally {
    sums.clear();
  }
  list.exact = word.exact;
  list.upTo = capacity;
  list.cost = yield* postingsOf(postings, word.exact);
}
