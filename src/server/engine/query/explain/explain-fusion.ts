/**
 * The two sides of some candidates' hybrid scores. The range of each side's scores, or the ranks, are those of all candidates, so they are made
 * once more: a pass over the candidates, and a heap or a search among the few for each.
 */
import type { Bitset } from '../../bits/bitset.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { Scale, SearchQuery } from '../../types.ts';
import { type Sides, scaleOf, sideFigures, similarityOf, textScoreOf } from '../sides/side-figures.ts';
import type { ExplainedFusion, FusedSide } from './explanation.ts';

interface FusedCandidates {
  sides: Sides & { neighbours: Bitset };
  candidates: Bitset;
  isBefore: (a: number, b: number) => boolean;
}

type FusionAsked = Pick<SearchQuery, 'alpha' | 'k' | 'ranking'> & {
  /** Of several indexes that are searched as one; null: of this one. */
  scale: Scale | null;
};

/** By ordinal, for those that are given; they are candidates. */
export function* explainFusion(
  { sides, candidates, isBefore }: FusedCandidates,
  query: FusionAsked & Pick<SearchQuery, 'fusion'>,
  ordinals: Int32Array,
): Steps<Map<number, ExplainedFusion>> {
  const { alpha, fusion: method } = query;
  const [keyword, vector] =
    method === 'rrf'
      ? yield* ranks({ sides, candidates, isBefore }, query, ordinals)
      : yield* shares(sides, { ...query, isBefore });
  return new Map(
    Array.from(ordinals, (ordinal) => [
      ordinal,
      { method, alpha, keyword: keyword(ordinal), vector: vector(ordinal) },
    ]),
  );
}

type SideOf = (ordinal: number) => FusedSide;

function* shares(
  sides: FusedCandidates['sides'],
  query: FusionAsked & Pick<FusedCandidates, 'isBefore'>,
): Steps<[SideOf, SideOf]> {
  const { textMax, similarityMin, similarityMax } = query.scale ?? (yield* ownScale(sides, query));
  const range = similarityMax - similarityMin;
  const vectorValue = (similarity: number) => {
    if (similarity === Number.NEGATIVE_INFINITY) return 0;
    if (!(range > 0)) return Number(similarity >= similarityMin);
    return Math.min(1, Math.max(0, (similarity - similarityMin) / range));
  };
  return [
    (ordinal) => ({
      value: textMax > 0 ? textScoreOf(sides, ordinal) / textMax : Number(sides.matched.has(ordinal)),
      rank: null,
    }),
    (ordinal) => ({ value: vectorValue(similarityOf(sides, ordinal)), rank: null }),
  ];
}

function* ownScale(
  sides: FusedCandidates['sides'],
  query: FusionAsked & Pick<FusedCandidates, 'isBefore'>,
): Steps<Scale> {
  return scaleOf([yield* sideFigures(sides, query)], [sides.neighbours.count()], query);
}

function* ranks(
  { sides, candidates, isBefore }: FusedCandidates,
  { ranking: { rankConstant } }: Pick<SearchQuery, 'ranking'>,
  ordinals: Int32Array,
): Steps<[SideOf, SideOf]> {
  const textOf = (ordinal: number) => {
    const text = textScoreOf(sides, ordinal);
    return text > 0 || sides.matched.has(ordinal) ? text : Number.NEGATIVE_INFINITY;
  };
  const toSide = (ranked: Map<number, number>): SideOf => {
    return (ordinal) => {
      const rank = ranked.get(ordinal) ?? null;
      return { value: rank === null ? 0 : (rankConstant + 1) / (rankConstant + rank), rank };
    };
  };
  const similarity = (ordinal: number) => similarityOf(sides, ordinal);
  return [
    toSide(yield* ranksAmong(candidates, ordinals, { scoreOf: textOf, isBefore })),
    toSide(yield* ranksAmong(candidates, ordinals, { scoreOf: similarity, isBefore })),
  ];
}

/** To look for a candidate among the few. */
const searchUnits = 16;

/** Where some of the candidates stand among all, from 1; the best score first, then by id. Those at −Infinity are not ranked. */
export function* ranksAmong(
  candidates: Bitset,
  ordinals: Int32Array,
  { scoreOf, isBefore }: { scoreOf: (ordinal: number) => number; isBefore: FusedCandidates['isBefore'] },
): Steps<Map<number, number>> {
  const isAhead = (a: number, b: number) => {
    const [scoreA, scoreB] = [scoreOf(a), scoreOf(b)];
    return scoreA === scoreB ? a !== b && isBefore(a, b) : scoreA > scoreB;
  };
  const few = [...ordinals]
    .filter((ordinal) => scoreOf(ordinal) > Number.NEGATIVE_INFINITY)
    .sort((a, b) => (isAhead(a, b) ? -1 : 1));
  /** By place among the few: candidates that stand before this one, but not before the one in front of it. */
  const before = new Float64Array(few.length + 1);
  yield* candidates.visit((candidate) => {
    if (scoreOf(candidate) === Number.NEGATIVE_INFINITY) return;
    let low = 0;
    let high = few.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAhead(candidate, few[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    before[low] = (before[low] ?? 0) + 1;
  });
  if (isPauseDue(few.length * searchUnits)) yield;
  let rank = 1;
  return new Map(
    few.map((ordinal, place) => {
      rank += before[place] ?? 0;
      return [ordinal, rank];
    }),
  );
}
