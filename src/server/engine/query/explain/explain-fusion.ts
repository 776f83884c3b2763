/**
 * The two sides of some candidates' hybrid scores. The range of each side's scores, or the ranks, are those of all candidates, so they are made
 * once more: a pass over the candidates, and a heap or a search among the few for each.
 */
import type { Bitset } from '../../bits/bitset.ts';
import type { Scale } from '../../merged-types.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import type { FusedSides } from '../fuse.ts';
import { fewScores } from '../sides/side.ts';
import { ownScale, textShare, vectorShare } from '../sides/side-figures.ts';
import type { ExplainedFusion, FusedSide } from './explanation.ts';

const none = Number.NEGATIVE_INFINITY;

interface FusedCandidates {
  sides: FusedSides;
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
  query: FusionAsked & Pick<SearchQuery, 'fusion'> & { vectorTrust: number },
  ordinals: Int32Array,
): Steps<Map<number, ExplainedFusion>> {
  const { alpha, fusion: method, vectorTrust } = query;
  const [keyword, vector] =
    method === 'rrf'
      ? yield* ranks({ sides, candidates, isBefore }, query, ordinals)
      : yield* shares(sides, query, ordinals);
  return new Map(
    Array.from(ordinals, (ordinal) => {
      const { value, rank } = vector(ordinal);
      const trusted = { value: value * vectorTrust, rank };
      return [ordinal, { method, alpha, keyword: keyword(ordinal), vector: trusted }];
    }),
  );
}

type SideOf = (ordinal: number) => FusedSide;

function* shares(sides: FusedSides, query: FusionAsked, ordinals: Int32Array): Steps<[SideOf, SideOf]> {
  const scale = query.scale ?? (yield* ownScale(sides, query));
  const texts = yield* fewScores(sides.text, ordinals, 0);
  const ascending = ordinals.toSorted();
  const shares = new Float64Array(ascending.length);
  if (scale.coveredWeight > 0) yield* sides.text.coverages(ascending, shares);
  const coverages = new Map(Array.from(ascending, (ordinal, place) => [ordinal, shares[place] ?? 0]));
  const similarities = yield* fewScores(sides.vector, ordinals, none);
  return [
    (ordinal) => ({
      value: textShare(scale, {
        text: texts.get(ordinal) ?? 0,
        coverage: coverages.get(ordinal) ?? 0,
        isMatch: sides.matched.has(ordinal),
      }),
      rank: null,
    }),
    (ordinal) => ({ value: vectorShare(scale, similarities.get(ordinal) ?? none), rank: null }),
  ];
}

function* ranks(
  { sides, candidates, isBefore }: FusedCandidates,
  { ranking: { rankConstant } }: Pick<SearchQuery, 'ranking'>,
  ordinals: Int32Array,
): Steps<[SideOf, SideOf]> {
  const all = yield* candidates.ordinals();
  const texts = yield* fewScores(sides.text, all, 0);
  const similarities = yield* fewScores(sides.vector, all, none);
  const textOf = (ordinal: number) => {
    const text = texts.get(ordinal) ?? 0;
    return text > 0 || sides.matched.has(ordinal) ? text : none;
  };
  const toSide = (ranked: Map<number, number>): SideOf => {
    return (ordinal) => {
      const rank = ranked.get(ordinal) ?? null;
      return { value: rank === null ? 0 : (rankConstant + 1) / (rankConstant + rank), rank };
    };
  };
  const similarity = (ordinal: number) => similarities.get(ordinal) ?? none;
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
