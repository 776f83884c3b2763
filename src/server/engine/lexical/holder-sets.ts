/** Sets of documents made of the holders of words: of all of them, of any of them, and whether some of a set hold a word. */
import { Bitset } from '../bits/bitset.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { HolderCursor, noMore } from './holder-cursor.ts';
import type { HolderList } from './holder-list.ts';
import { blockPostings } from './postings.ts';

/** Of work, to look for a document in a list, and to come to a block. */
const lookUnits = 4;
const blockUnits = 192;
/** What it costs to look for a document in a list, in postings that are read one after the other. */
const lookPostings = 4;

interface Documents {
  live: Bitset;
  /** Ordinals there are. */
  capacity: number;
}

/** Living documents in every list, in this way; null: in any way. Through the shortest list, or if none is short through all. */
export function* inEach(
  lists: HolderList[],
  way: number | null,
  { live, capacity }: Documents,
): Steps<Bitset> {
  const sorted = lists.toSorted((a, b) => a.length - b.length);
  const [shortest] = sorted;
  const found = new Bitset(capacity);
  if (shortest === undefined || shortest.blocks === 0) return found;
  const postings = lists.reduce((sum, { length }) => sum + length, 0);
  if (shortest.length * lists.length * lookPostings > postings) {
    yield* addHolders(shortest, way, found);
    for (const list of sorted.slice(1)) {
      const others = new Bitset(capacity);
      yield* addHolders(list, way, others);
      found.and(others);
    }
    return found.and(live);
  }
  const cursors = sorted.map((list) => new HolderCursor().open(list));
  const [first, ...others] = cursors;
  if (first === undefined) return found;
  for (let from = 0; ; ) {
    first.advance(from);
    const { ordinal } = first;
    if (ordinal === noMore) return found;
    from = ordinal + 1;
    let isInAll = live.has(ordinal);
    for (let i = 0; isInAll && i < others.length; i += 1) {
      const other = others[i];
      if (other === undefined) continue;
      other.advance(ordinal);
      if (other.ordinal === ordinal) continue;
      isInAll = false;
      from = other.ordinal;
    }
    if (isInAll && (way === null || cursors.every(({ ways }) => (ways & way) !== 0))) found.add(ordinal);
    if (isPauseDue(lookUnits * lists.length)) yield;
  }
}

/** Living documents in any list. */
export function* inAny(lists: HolderList[], { live, capacity }: Documents): Steps<Bitset> {
  const found = new Bitset(capacity);
  for (const list of lists) yield* addHolders(list, null, found);
  return found.and(live);
}

/** A set, and where it has few documents these, ascending; null: it has many. */
export interface FewOrMany {
  documents: Bitset;
  few: Int32Array | null;
}

/** Whether a document of a set is in a list in this way; null: in any way. */
export function* intersects(
  list: HolderList,
  way: number | null,
  { documents, few }: FewOrMany,
): Steps<boolean> {
  const isAny = way === null || (list.ways !== null && (list.ways & way) !== 0);
  if (few !== null) {
    const cursor = new HolderCursor().open(list);
    for (const ordinal of few) {
      cursor.advance(ordinal);
      if (cursor.ordinal === ordinal && (isAny || (cursor.ways & way) !== 0)) return true;
      if (isPauseDue(lookUnits)) yield;
    }
    return false;
  }
  for (let block = 0; block < list.blocks; block += 1) {
    list.read(block);
    const end = Math.min((block + 1) * blockPostings, list.length);
    for (let place = block * blockPostings; place < end; place += 1) {
      const isHeld = isAny || (list.waysAt(place) & way) !== 0;
      if (isHeld && documents.has(list.ordinals[place] ?? 0)) return true;
    }
    if (isPauseDue(blockUnits)) yield;
  }
  return false;
}

function* addHolders(list: HolderList, way: number | null, into: Bitset): Steps<void> {
  const isAny = way === null || (list.ways !== null && (list.ways & way) !== 0);
  const { words } = into;
  const { ordinals } = list;
  if (isAny && list.words !== null) {
    const shared = Math.min(words.length, list.words.length);
    for (let i = 0; i < shared; i += 1) words[i] = (words[i] ?? 0) | (list.words[i] ?? 0);
    if (isPauseDue(shared)) yield;
    return;
  }
  for (let block = 0; block < list.blocks; block += 1) {
    list.read(block);
    const end = Math.min((block + 1) * blockPostings, list.length);
    for (let place = block * blockPostings; place < end; place += 1) {
      if (!isAny && (list.waysAt(place) & way) === 0) continue;
      const ordinal = ordinals[place] ?? 0;
      words[ordinal >>> 5] = (words[ordinal >>> 5] ?? 0) | (1 << (ordinal & 31));
    }
    if (isPauseDue(blockUnits)) yield;
  }
}
