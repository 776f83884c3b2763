/**
 * What words add to documents, summed word by word over all of their postings: no document is looked for in any list. For queries of so many words that
 * documents have no masks, and where most documents are scored anyway. Each sum is added up in the order of the query, as it is for one document alone,
 * so it is the same to the last bit. Costs a few nanoseconds a posting; a look-up for each document and word, which this replaced, cost ten times as much.
 * Source: H. Turtle, J. Flood, "Query Evaluation: Strategies and Optimizations", 1995 (term at a time).
 */
import type { Bitset } from '../bits/bitset.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { saturation } from './bm25.ts';
import { type HolderList, held } from './holder-list.ts';
import { blockPostings } from './postings.ts';
import type { WordHolders } from './word-reader.ts';

/** Of work, to read a block and add it up. */
const blockUnits = 192;
const scoredBlockUnits = 512;

/** Postings of words, dead ones too: what summing all of them costs. */
export function postingsOf(words: readonly WordHolders[]): number {
  return words.reduce((sum, { list }) => sum + list.length, 0);
}

/** How much of the words' weight each document covers, dead ones too, by ordinal; `sums` is 0. */
export function* sumAllCovered(words: readonly WordHolders[], sums: Float64Array): Steps<void> {
  for (const { list, weight, otherwise } of words) {
    const less = weight * otherwise;
    for (let block = 0; block < list.blocks; block += 1) {
      list.read(block);
      const end = Math.min((block + 1) * blockPostings, list.length);
      if (list.ways === null) addEach(list, { block, end, weight, less }, sums);
      else addAlike(list.ordinals, { block, end }, (list.ways & held.whole) === 0 ? less : weight, sums);
      if (isPauseDue(blockUnits)) yield;
    }
  }
}

interface Place {
  block: number;
  end: number;
}

function addAlike(ordinals: Int32Array, { block, end }: Place, adds: number, sums: Float64Array): void {
  for (let place = block * blockPostings; place < end; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    sums[ordinal] = (sums[ordinal] ?? 0) + adds;
  }
}

function addEach(
  list: HolderList,
  { block, end, weight, less }: Place & { weight: number; less: number },
  sums: Float64Array,
): void {
  for (let place = block * blockPostings; place < end; place += 1) {
    const ordinal = list.ordinals[place] ?? 0;
    sums[ordinal] = (sums[ordinal] ?? 0) + ((list.waysAt(place) & held.whole) === 0 ? less : weight);
  }
}

/** The most that the words add to each document, dead ones too, by ordinal; `sums` is 0. */
export function* sumAllWeights(words: readonly WordHolders[], sums: Float64Array): Steps<void> {
  for (const { list, weight } of words) {
    for (let block = 0; block < list.blocks; block += 1) {
      list.read(block);
      addAlike(
        list.ordinals,
        { block, end: Math.min((block + 1) * blockPostings, list.length) },
        weight,
        sums,
      );
      if (isPauseDue(blockUnits)) yield;
    }
  }
}

/** Of the documents of a block, from which on all their frequencies are read together. */
const togetherMin = 24;
const frequencies = new Float64Array(blockPostings);
/** Places of a block. */
const places = new Int32Array(blockPostings);

/** The BM25 score of each of some documents, by ordinal; `scores` is 0 for each. `ratios`: their length by the mean one. */
export function* sumAllScores(
  words: readonly WordHolders[],
  { among, ratios, k1, b }: { among: Bitset; ratios: Float64Array; k1: number; b: number },
  scores: Float64Array,
): Steps<void> {
  const ranking = { k1, b };
  for (const { list, weight, largestShare } of words) {
    for (let block = 0; block < list.blocks; block += 1) {
      list.read(block);
      const { ordinals } = list;
      const start = block * blockPostings;
      const wanted = placesIn(among.words, ordinals, start, Math.min(start + blockPostings, list.length));
      const isTogether = wanted >= togetherMin;
      if (isTogether) list.readFrequencies(block, frequencies);
      for (let i = 0; i < wanted; i += 1) {
        const place = places[i] ?? 0;
        const ordinal = ordinals[place] ?? 0;
        const frequency = isTogether ? (frequencies[place - start] ?? 0) : list.frequencyAt(place);
        const earned = weight * saturation(frequency / largestShare, ratios[ordinal] ?? 0, ranking);
        scores[ordinal] = (scores[ordinal] ?? 0) + earned;
      }
      if (isPauseDue(wanted < togetherMin ? blockUnits : scoredBlockUnits)) yield;
    }
  }
}

/** Into `places`: where documents of a set stand. Answers how many they are. */
function placesIn(words: Uint32Array, ordinals: Int32Array, start: number, end: number): number {
  let count = 0;
  for (let place = start; place < end; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    places[count] = place;
    count += ((words[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1;
  }
  return count;
}
