/**
 * Hybrid ranking: which documents the keyword side and the vector side put forward together, and one score in 0..1 for each.
 *
 * Weighted (the default): every candidate has both scores, whichever side put it forward. BM25 is divided by the candidates' maximum, or by a share of what the words
 * weigh together, if that is more; a fifth of the words' part is for what a document covers of them, however often it holds them (C. Clarke et al., "Relevance ranking for one to three term
 * queries", 2000), unless told.
 * Similarity counts from the least to the greatest of the two sides' best max(k, 100 unless told), so that no constant depends on the page, over no
 * less than 10 standard deviations of all documents' unless told (`side-figures.ts`), and is clamped for the rest. A side whose scores are all equal gives 1, a document that a side knows nothing of gets 0 from it. The sum is weighted by `alpha`, the vector's part by `vectorTrust` too;
 * at 0 and 1 only one side puts candidates forward.
 *
 * Reciprocal rank: Σ weight · (1 + c) / (c + rank), 1 for the first of both; c is 60 unless told (G. Cormack, C. Clarke, S. Büttcher, SIGIR 2009).
 *
 * Cost: a pass over the candidates, which asks each side for their scores, and by ranks a radix sort for each side.
 */
import { bestFirst } from '../bits/best-first.ts';
import type { Bitset } from '../bits/bitset.ts';
import type { DocumentScores } from '../lexical/text-scores.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { Scale } from '../merged-types.ts';
import { isPauseDue, type Steps, stepUnits } from '../steps.ts';
import type { Ranking } from '../types.ts';
import { type CalibrationAsked, ownScale, type Sides, textShare, vectorShare } from './sides/side-figures.ts';

/** Units of work, to fuse a candidate. */
const fusedUnits = 4;

export interface FusedSides extends Sides {
  /** Documents that match the words and pass the filter. */
  matched: Bitset;
  /** The k nearest that pass the filter. */
  neighbours: Bitset;
}

export interface FusionSettings {
  alpha: number;
  /** How far its side counts, 0 to 1. */
  vectorTrust: number;
  k: number;
  fusion: 'weighted' | 'rrf';
  ranking: Pick<Ranking, 'rankConstant'> & CalibrationAsked['ranking'];
  /** Order of ids. */
  isBefore: (a: number, b: number) => boolean;
  /** Of several indexes that are searched as one; absent: of this one. */
  scale?: Scale | null;
  /** Ordinals there are. */
  capacity: number;
  /** What the scores lie in. */
  scratch: SearchScratch;
}

/** What one side, or both together, put forward. */
export interface ScoredCandidates {
  candidates: Bitset;
  /** By ordinal, meaningful for candidates; or what each is asked of. Null: all are 0. */
  scores: Float64Array | DocumentScores | null;
}

/** All candidates, ascending, and by their places what each side says of them. */
interface Scored {
  ordinals: Int32Array;
  texts: Float64Array;
  similarities: Float64Array;
}

export function* fuse(
  sides: FusedSides,
  settings: FusionSettings,
): Steps<{ candidates: Bitset; scores: Float64Array }> {
  const candidates = candidatesOf(sides, settings.alpha);
  const { alpha, capacity, scratch } = settings;
  const vectorWeight = alpha * settings.vectorTrust;
  const scores = scratch.numbers('fused', capacity);
  const scored = yield* scoresOf(candidates, sides, settings);
  const { ordinals } = scored;
  const [textPart, vectorPart] =
    settings.fusion === 'rrf'
      ? yield* ranks(sides, scored, settings)
      : yield* normalised(sides, scored, settings);
  for (let from = 0; from < ordinals.length; from += stepUnits) {
    const to = Math.min(from + stepUnits, ordinals.length);
    for (let place = from; place < to; place += 1)
      scores[ordinals[place] ?? 0] = (1 - alpha) * textPart(place) + vectorWeight * vectorPart(place);
    if (isPauseDue((to - from) * fusedUnits)) yield;
  }
  return { candidates, scores };
}

function* scoresOf(candidates: Bitset, { text, vector }: Sides, { scratch }: FusionSettings): Steps<Scored> {
  const count = candidates.count();
  const ordinals = scratch.integers('candidates', count);
  const texts = scratch.numbers('candidateTexts', count);
  const similarities = scratch.numbers('candidateSimilarities', count);
  let place = 0;
  yield* candidates.visit((ordinal) => {
    ordinals[place] = ordinal;
    place += 1;
  });
  yield* text.scoresOf(ordinals, texts);
  if (vector === null) yield* fillSteps(similarities, Number.NEGATIVE_INFINITY);
  else yield* vector.scoresOf(ordinals, similarities);
  return { ordinals, texts, similarities };
}

/** One side's share of the score of the candidate at a place, 0..1. */
type Part = (place: number) => number;

export function candidatesOf(
  { matched, neighbours }: Pick<FusedSides, 'matched' | 'neighbours'>,
  alpha: number,
): Bitset {
  if (alpha === 0) return matched.clone();
  if (alpha === 1) return neighbours.clone();
  return matched.clone().or(neighbours);
}

function* normalised(
  sides: FusedSides,
  { ordinals, texts, similarities }: Scored,
  settings: FusionSettings,
): Steps<[Part, Part]> {
  const scale = settings.scale ?? (yield* ownScale(sides, settings));
  const coverages = settings.scratch.numbers('candidateCoverages', ordinals.length);
  if (scale.coveredWeight > 0) yield* sides.text.coverages(ordinals, coverages);
  else yield* fillSteps(coverages, 0);
  const textPart: Part = (place) =>
    textShare(scale, {
      text: texts[place] ?? 0,
      coverage: coverages[place] ?? 0,
      isMatch: sides.matched.has(ordinals[place] ?? 0),
    });
  const vectorPart: Part = (place) => vectorShare(scale, similarities[place] ?? 0);
  return [textPart, vectorPart];
}

function* ranks(
  { matched }: FusedSides,
  { ordinals, texts, similarities }: Scored,
  { isBefore, scratch, ranking }: FusionSettings,
): Steps<[Part, Part]> {
  const size = ordinals.length;
  const isPlaceBefore = (a: number, b: number) => isBefore(ordinals[a] ?? 0, ordinals[b] ?? 0);
  const order = { isBefore: isPlaceBefore, scratch };
  const ranked = (scores: Float64Array, counts: (place: number) => boolean) =>
    bestPlaces(scores, { size, counts, order });
  const isText = (place: number) => (texts[place] ?? 0) > 0 || matched.has(ordinals[place] ?? 0);
  const isSimilar = (place: number) => (similarities[place] ?? 0) > Number.NEGATIVE_INFINITY;
  const textRanks = scratch.integers('textRanks', size);
  const vectorRanks = scratch.integers('vectorRanks', size);
  return [
    yield* reciprocal(yield* ranked(texts, isText), textRanks, ranking.rankConstant),
    yield* reciprocal(yield* ranked(similarities, isSimilar), vectorRanks, ranking.rankConstant),
  ];
}

/** Those that count, best first. */
function* bestPlaces(
  scores: Float64Array,
  {
    size,
    counts,
    order,
  }: { size: number; counts: (place: number) => boolean; order: Parameters<typeof bestFirst>[2] },
): Steps<Int32Array> {
  const places = order.scratch.integers('rankedPlaces', size);
  let count = 0;
  for (let from = 0; from < size; from += stepUnits) {
    const to = Math.min(from + stepUnits, size);
    for (let place = from; place < to; place += 1) {
      if (!counts(place)) continue;
      places[count] = place;
      count += 1;
    }
    if (isPauseDue(to - from)) yield;
  }
  return yield* bestFirst(scores, places.subarray(0, count), order);
}

/** `places`: best first. */
function* reciprocal(places: Int32Array, ranks: Int32Array, rankConstant: number): Steps<Part> {
  // By place; 0: in no rank.
  yield* fillSteps(ranks, 0);
  for (let from = 0; from < places.length; from += stepUnits) {
    const to = Math.min(from + stepUnits, places.length);
    for (let i = from; i < to; i += 1) ranks[places[i] ?? 0] = i + 1;
    if (isPauseDue(to - from)) yield;
  }
  return (place) => {
    const rank = ranks[place] ?? 0;
    return rank === 0 ? 0 : (rankConstant + 1) / (rankConstant + rank);
  };
}
