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
  few: Int32Array,
): Steps<[SideOf, SideOf]> {
  const ordinals = yield* candidates.ordinals();
  const toSide = (ranked: Map<number, number>): SideOf => {
    return (ordinal) => {
      const rank = ranked.get(ordinal) ?? null;
      return { value: rank === null ? 0 : (rankConstant + 1) / (rankConstant + rank), rank };
    };
  };
  const scores = new Float64Array(ordinals.length);
  yield* sides.text.scoresOf(ordinals, scores);
  for (let place = 0; place < ordinals.length; place += 1) {
    const isText = (scores[place] ?? 0) > 0 || sides.matched.has(ordinals[place] ?? 0);
    if (!isText) scores[place] = none;
    if (isPauseDue(1)) yield;
  }
  const byText = toSide(yield* ranksAmong({ ordinals, scores, isBefore }, few));
  if (sides.vector === null) return [byText, toSide(new Map())];
  yield* sides.vector.scoresOf(ordinals, scores);
  return [byText, toSide(yield* ranksAmong({ ordinals, scores, isBefore }, few))];
}

interface ScoredOrdinals {
  /** Ascending. */
  ordinals: Int32Array;
  /** By their places; none is NaN. */
  scores: Float64Array;
  isBefore: FusedCandidates['isBefore'];
}

/** Units of work, to look for one among a few. */
const searchUnits = 16;

/** Where a few of the documents stand among all, from 1; the best score first, then by id. Those at −Infinity are not ranked. */
export function* ranksAmong(
  { ordinals, scores, isBefore }: ScoredOrdinals,
  few: Int32Array,
): Steps<Map<number, number>> {
  const isAhead = (a: number, b: number) => {
    const [scoreA, scoreB] = [scores[a] ?? none, scores[b] ?? none];
    return scoreA === scoreB ? a !== b && isBefore(ordinals[a] ?? 0, ordinals[b] ?? 0) : scoreA > scoreB;
  };
  const ranked = Array.from(few, (ordinal) => placeOf(ordinal, ordinals))
    .filter((place) => (scores[place] ?? none) > none)
    .sort((a, b) => (isAhead(a, b) ? -1 : 1));
  /** By number among the few: documents that stand before this one, but not before the one in front of it. */
  const before = new Float64Array(ranked.length + 1);
  for (let place = 0; place < ordinals.length; place += 1) {
    if (isPauseDue(searchUnits)) yield;
    if (scores[place] === none) continue;
    let low = 0;
    let high = ranked.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAhead(place, ranked[middle] ?? 0)) high = middle;
      else low = middle + 1;
    }
    before[low] = (before[low] ?? 0) + 1;
  }
  let rank = 1;
  return new Map(
    ranked.map((place, i) => {
      rank += before[i] ?? 0;
      return [ordinals[place] ?? 0, rank];
    }),
  );
}

/** Of one of these. */
function placeOf(ordinal: number, ordinals: Int32Array): number {
  let low = 0;
  let high = ordinals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return ordinals[low] === ordinal ? low : -1;
}
