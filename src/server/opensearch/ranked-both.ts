import type { Scale } from '#server/engine/merged-types.ts';
import { type FusedSide, textShare, vectorShare, vectorTrust } from '#server/engine/search-index.ts';
import { compareIds } from '#server/indexes/id-order.ts';
import {
  type BothParts,
  bestMax,
  bestOfBoth,
  type Known,
  noSpread,
  scaleOfBest,
  spreadIn,
} from './both-sides.ts';
import { byScore, compareHits } from './hit-order.ts';
import { liftedHits, supportAmong } from './lifted-hits.ts';
import { nearestPassing } from './neighbours.ts';
import { notBuilt } from './not-built.ts';
import { among, anyOf, type Query } from './query.ts';
import type { ClusterOrdered, FoundHit, GivenScores, Ranked } from './ranked.ts';
import { leaving } from './ranked-page.ts';
import {
  matchedQuery,
  ownPlace,
  plainHit,
  scoredQuery,
  scoringAtLeast,
  textScoreOf,
  theseByWords,
} from './ranked-words.ts';
import { sortPlan } from './sort-plan.ts';
import { type ToldRelevance, toldRelevance } from './told-relevance.ts';

/**
 * A hybrid search, fused by the embedded engine's own code: of the best on each side both scores are known, and make theirs; what else the words match
 * comes behind with the score of its words, in the cluster's order. `given`: null: this index is searched alone.
 */
export async function rankedBoth(
  parts: BothParts,
  passing: Query,
  given: GivenScores | null,
): Promise<Ranked> {
  const { query, reading } = parts;
  const matched = matchedQuery(parts, passing);
  const finding = bestOfBoth(parts, matched, nearestPassing(parts, passing, bestMax(query)));
  const [best, spread] = await Promise.all([finding, given === null ? spreadIn(parts) : noSpread]);
  const scale = given?.scale ?? scaleOfBest(parts, best, spread);
  const told = toldRelevance(query, { reading, scale });
  const isCandidate = (one: Known) =>
    (query.alpha < 1 && one.isMatch) || (query.alpha > 0 && one.isNeighbour);
  const fused = fusedHits(parts, best.filter(isCandidate), scale);
  const support = given === null ? await supportAmong(parts, fused) : given.support;
  const weight = support?.weight ?? 0;
  const scored = liftedHits(fused, support);
  const known = scored.filter(({ score }) => told?.isEnough(score) ?? true);
  const named = scored.map(({ id }) => id);
  const behind = query.alpha === 1 ? null : behindOf(parts, { matched, scale, told, weight });
  const found = { known, behind, named, scale, weight };
  const candidates = candidatesNaming(found)(named);
  const ranked = { candidates, scale, told, these: theseOf(parts, candidates, found) };
  return query.sort.length > 0
    ? { ...ranked, ...inOrderOfKeys(parts, found) }
    : { ...ranked, ...inOrderOfScores(parts, found) };
}

interface Found {
  /** With both scores. */
  known: FoundHit[];
  /** What else the words match, as far as these ids tell; null: nothing. */
  behind: ClusterOrdered['naming'] | null;
  /** All that have both scores, those too that are not relevant enough. */
  named: string[];
  scale: Scale;
  /** Which part of a score what is near makes: what is behind has only the rest. */
  weight: number;
}

function behindOf(
  parts: BothParts,
  {
    matched,
    scale,
    told,
    weight,
  }: { matched: Query; told: ToldRelevance | null } & Pick<Found, 'scale' | 'weight'>,
): ClusterOrdered['naming'] {
  const scoreMin = told?.scoreMin ?? Number.NEGATIVE_INFINITY;
  if (scoreMin === Number.NEGATIVE_INFINITY) return (ids) => leaving(matched, ids);
  const { query } = parts;
  if (query.fusion === 'rrf') throw notBuilt('"min_relevance" with "fusion": "rrf"', 'min_relevance');
  const one = (1 - weight) * (1 - query.alpha) * textShare(scale, { text: 1, coverage: 0, isMatch: true });
  // Without a range of scores of words each match has the same.
  const textMin = scale.textRange > 0 ? scoreMin / one : one >= scoreMin ? 0 : Number.POSITIVE_INFINITY;
  return (ids) => scoringAtLeast(parts, leaving(matched, ids), textMin);
}

function candidatesNaming({ known, named, behind }: Found): ClusterOrdered['naming'] {
  const areKnown = new Set(known.map(({ id }) => id));
  const isEachKnown = areKnown.size === named.length;
  return (ids) => {
    const own = among(
      'id',
      ids.filter((id) => areKnown.has(id)),
    );
    if (behind === null) return own;
    // What is put forward need not be told from what else the words match.
    return anyOf([own, isEachKnown ? behind([]) : behind(ids)]);
  };
}

function inOrderOfScores(parts: BothParts, { known, behind, named, scale, weight }: Found) {
  const plan = sortPlan({ sort: [] });
  const count = named.length;
  const others = behind && {
    candidates: behind(named),
    named,
    naming: behind,
    scored: (left: Query) => scoredQuery(parts, left),
    sort: plan.clauses,
    toHit: (hit: { _id: string; _score: number | null; sort?: unknown[] }, rank: number): FoundHit => ({
      ...hitBehind(parts, { id: hit._id, text: textScoreOf(hit, parts), rank: count + rank, scale, weight }),
      own: ownPlace(hit, rank),
    }),
  };
  return { known, others, order: byScore };
}

function inOrderOfKeys(parts: BothParts, found: Found) {
  const { plan } = parts;
  const { known, named, scale, weight } = found;
  const naming = candidatesNaming(found);
  const count = named.length;
  const both = new Map(known.map((hit) => [hit.id, hit]));
  const others = {
    candidates: naming(named),
    named,
    naming,
    scored: (left: Query) => scoredQuery(parts, left),
    sort: plan.clauses,
    toHit(hit: { _id: string; _score: number | null; sort?: unknown[] }, rank: number): FoundHit {
      const text = textScoreOf(hit, parts);
      const own =
        both.get(hit._id) ?? hitBehind(parts, { id: hit._id, text, rank: count + 1, scale, weight });
      return { ...own, sort: plan.toSort(hit.sort ?? []), own: ownPlace(hit, rank) };
    },
  };
  return { known: [], others, order: plan.order };
}

function theseOf(
  parts: BothParts,
  candidates: Query,
  { known, named: { length: count }, scale, weight }: Found,
): Ranked['these'] {
  const both = new Map(known.map((hit) => [hit.id, hit]));
  return async (ids) => {
    const byWords = await theseByWords(parts, candidates, ids);
    return byWords.map(({ id, score, textMatch: text }) => {
      if (score > 0) return both.get(id) ?? hitBehind(parts, { id, text, rank: count + 1, scale, weight });
      return both.get(id) ?? { ...plainHit(id, text), score: 0 };
    });
  };
}

/** Of candidates, the best first. */
function fusedHits({ query, reading }: BothParts, candidates: Known[], scale: Scale): FoundHit[] {
  const trust = vectorTrust(query, { words: reading?.words ?? [], totals: reading?.totals ?? null });
  const [textPart, vectorPart] =
    query.fusion === 'rrf' ? ranksOf(candidates, query.ranking.rankConstant) : sharesOf(scale);
  return candidates
    .map((one): FoundHit => {
      const [keyword, vector] = [textPart(one), vectorPart(one)];
      const score = (1 - query.alpha) * keyword.value + query.alpha * trust * vector.value;
      return {
        ...plainHit(one.id, one.text),
        score,
        coverage: one.coverage,
        isNeighbour: one.isNeighbour,
        sort: [score, one.id],
        fused: { keyword, vector: { ...vector, value: trust * vector.value }, support: 0 },
      };
    })
    .sort((a, b) => compareHits(byScore, a, b));
}

type Part = (one: Known) => FusedSide;

function sharesOf(scale: Scale): [Part, Part] {
  return [
    (one) => ({ value: textShare(scale, one), rank: null }),
    ({ similarity }) => ({ value: vectorShare(scale, similarity), rank: null }),
  ];
}

function ranksOf(known: Known[], constant: number): [Part, Part] {
  const rankedBy = (side: Known[], scoreOf: (one: Known) => number): Part => {
    const order = side.toSorted((a, b) => scoreOf(b) - scoreOf(a) || compareIds(a.id, b.id));
    const ranks = new Map(order.map(({ id }, i) => [id, i + 1]));
    return ({ id }) => {
      const rank = ranks.get(id) ?? null;
      return { value: rank === null ? 0 : reciprocal(rank, constant), rank };
    };
  };
  const withText = known.filter(({ text, isMatch }) => text > 0 || isMatch);
  const withVector = known.filter(({ similarity }) => similarity > Number.NEGATIVE_INFINITY);
  return [rankedBy(withText, ({ text }) => text), rankedBy(withVector, ({ similarity }) => similarity)];
}

const reciprocal = (rank: number, constant: number) => (constant + 1) / (constant + rank);

/** What the words match beyond the best: nothing is known of its vector. */
function hitBehind(
  { query }: BothParts,
  {
    id,
    text,
    rank,
    scale,
    weight,
  }: { id: string; text: number; rank: number } & Pick<Found, 'scale' | 'weight'>,
): FoundHit {
  const keyword: FusedSide =
    query.fusion === 'rrf'
      ? { value: reciprocal(rank, query.ranking.rankConstant), rank }
      : { value: textShare(scale, { text, coverage: 0, isMatch: true }), rank: null };
  const score = (1 - weight) * (1 - query.alpha) * keyword.value;
  const fused = { keyword, vector: { value: 0, rank: null }, support: weight };
  return { ...plainHit(id, text), score, sort: [score, id], fused };
}
