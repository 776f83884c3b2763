/**
 * Hybrid ranking: which documents the keyword side and the vector side put forward together, and one score in 0..1 for each.
 *
 * Weighted (the default): every candidate has both scores, whichever side put it forward. BM25 is divided by the candidates' maximum.
 * Similarity is min-maxed over the union of the two sides' best max(k, 100 unless told), so that no constant depends on the page, and clamped for the
 * rest. A side whose scores are all equal gives 1, a document that a side knows nothing of gets 0 from it. The sum is weighted by `alpha`;
 * at 0 and 1 only one side puts candidates forward.
 *
 * Reciprocal rank: Σ weight · (1 + c) / (c + rank), 1 for the first of both; c is 60 unless told (G. Cormack, C. Clarke, S. Büttcher, SIGIR 2009).
 *
 * Cost: a pass over the candidates and a heap for each list.
 */
import type { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps, stepUnits } from '../steps.ts';
import type { Ranking, Scale } from '../types.ts';
import { type Sides, scaleOf, sideFigures, similarityOf, textScoreOf } from './sides/side-figures.ts';

export interface FusedSides extends Sides {
  /** The k nearest that pass the filter. */
  neighbours: Bitset;
}

export interface FusionSettings {
  alpha: number;
  k: number;
  fusion: 'weighted' | 'rrf';
  ranking: Pick<Ranking, 'rankConstant' | 'calibrationMin'>;
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
  /** By ordinal; meaningful for candidates. Null: all are 0. */
  scores: Float64Array | null;
}

export function* fuse(sides: FusedSides, settings: FusionSettings): Steps<ScoredCandidates> {
  const candidates = candidatesOf(sides, settings.alpha);
  const scores = settings.scratch.numbers('fused', settings.capacity);
  const [textPart, vectorPart] =
    settings.fusion === 'rrf'
      ? yield* ranks(sides, candidates, settings)
      : yield* normalised(sides, settings);
  const { alpha } = settings;
  yield* candidates.visit((ordinal) => {
    scores[ordinal] = (1 - alpha) * textPart(ordinal) + alpha * vectorPart(ordinal);
  });
  return { candidates, scores };
}

/** One side's share of the score of a candidate, 0..1. */
type Part = (ordinal: number) => number;

export function candidatesOf(
  { matched, neighbours }: Pick<FusedSides, 'matched' | 'neighbours'>,
  alpha: number,
): Bitset {
  if (alpha === 0) return matched.clone();
  if (alpha === 1) return neighbours.clone();
  return matched.clone().or(neighbours);
}

function* normalised(sides: FusedSides, settings: FusionSettings): Steps<[Part, Part]> {
  const { matched } = sides;
  const { textMax, similarityMin, similarityMax } = settings.scale ?? (yield* ownScale(sides, settings));
  const textPart: Part = (ordinal) =>
    textMax > 0 ? textScoreOf(sides, ordinal) / textMax : Number(matched.has(ordinal));
  const range = similarityMax - similarityMin;
  const vectorPart: Part = (ordinal) => {
    const similarity = similarityOf(sides, ordinal);
    if (similarity === Number.NEGATIVE_INFINITY) return 0;
    if (!(range > 0)) return Number(similarity >= similarityMin);
    return Math.min(1, Math.max(0, (similarity - similarityMin) / range));
  };
  return [textPart, vectorPart];
}

function* ownScale(sides: FusedSides, settings: FusionSettings): Steps<Scale> {
  return scaleOf([yield* sideFigures(sides, settings)], [sides.neighbours.count()], settings);
}

function* ranks(
  sides: FusedSides,
  candidates: Bitset,
  { isBefore, capacity, scratch, ranking }: FusionSettings,
): Steps<[Part, Part]> {
  const { matched } = sides;
  const { rankConstant } = ranking;
  const size = candidates.count();
  const byText = new TopK(size, isBefore);
  const bySimilarity = new TopK(size, isBefore);
  yield* candidates.visit((ordinal) => {
    const text = textScoreOf(sides, ordinal);
    if (text > 0 || matched.has(ordinal)) byText.offer(ordinal, text);
    const similarity = similarityOf(sides, ordinal);
    if (similarity > Number.NEGATIVE_INFINITY) bySimilarity.offer(ordinal, similarity);
  });
  return [
    yield* reciprocal(
      (yield* byText.sorted()).ordinals,
      scratch.integers('textRanks', capacity),
      rankConstant,
    ),
    yield* reciprocal(
      (yield* bySimilarity.sorted()).ordinals,
      scratch.integers('vectorRanks', capacity),
      rankConstant,
    ),
  ];
}

function* reciprocal(ordinals: Int32Array, ranks: Int32Array, rankConstant: number): Steps<Part> {
  // By ordinal; 0: in no rank.
  yield* fillSteps(ranks, 0);
  for (let from = 0; from < ordinals.length; from += stepUnits) {
    const to = Math.min(from + stepUnits, ordinals.length);
    for (let i = from; i < to; i += 1) ranks[ordinals[i] ?? 0] = i + 1;
    if (isPauseDue(to - from)) yield;
  }
  return (ordinal) => {
    const rank = ranks[ordinal] ?? 0;
    return rank === 0 ? 0 : (rankConstant + 1) / (rankConstant + rank);
  };
}
