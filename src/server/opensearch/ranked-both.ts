import type { Scale } from '#server/engine/merged-types.ts';
import { scaleOf, textShare, vectorShare, vectorTrust } from '#server/engine/search-index.ts';
import { type BothParts, bestOfBoth, type Known, sidesOf } from './both-sides.ts';
import type { FoundHit, Ranked } from './found-page.ts';
import { compareIds } from './id-order.ts';
import { allOf, among, anyOf, noneOf, type Query } from './query.ts';
import { hitsOf, matchedQuery, scoredQuery, textScoreOf, theseByWords, totalOf } from './ranked-words.ts';
import { sortClauses } from './sort-clauses.ts';

/**
 * A hybrid search, fused by the embedded engine's own code: of the best on each side both scores are known, and make theirs; what else the words match
 * comes behind with the score of its words, by a second request. `given`: by what scores are normalised; null: by this index's own.
 */
export async function rankedBoth(parts: BothParts, passing: Query, given: Scale | null): Promise<Ranked> {
  const { query } = parts;
  const matched = matchedQuery(parts, passing);
  const known = await bestOfBoth(parts, matched, passing);
  const scale = given ?? (await scaleFor(parts, known));
  const isCandidate = (one: Known) =>
    (query.alpha < 1 && one.isMatch) || (query.alpha > 0 && one.isNeighbour);
  const scored = scoredHits(parts, known.filter(isCandidate), scale);
  const neighbourIds = known.filter(({ isNeighbour }) => isNeighbour).map(({ id }) => id);
  const candidates = candidatesOf(parts, { matched, neighbourIds });
  const behind = scored.length;
  return {
    candidates,
    async page({ offset, limit, without }) {
      const first = scored.filter(({ id }) => !without.includes(id));
      const others =
        query.alpha === 1
          ? null
          : allOf([matched, noneOf([among('id', [...scored.map(({ id }) => id), ...without])])]);
      if (query.sort.length > 0)
        return await sortedPage(parts, { candidates, offset, limit, without, scored, scale });
      if (others === null) return { found: first.length, hits: first.slice(offset, offset + limit), scale };
      const [reply] = await parts.ask([
        {
          size: offset + limit,
          query: scoredQuery(parts, others),
          sort: sortClauses({ sort: [] }, true),
          track_scores: true,
        },
      ]);
      const rest = hitsOf(reply).map((hit, place): FoundHit => {
        const text = textScoreOf(hit, parts);
        return {
          id: hit._id,
          score: scoreBehind(parts, { text, rank: behind + place + 1, scale }),
          textMatch: text,
          isNeighbour: false,
        };
      });
      const hits = [...first, ...rest].sort((a, b) => b.score - a.score || compareIds(a.id, b.id));
      return { found: first.length + totalOf(reply), hits: hits.slice(offset, offset + limit), scale };
    },
    async these(ids) {
      const known = new Map(scored.map((hit) => [hit.id, hit]));
      const byWords = await theseByWords(parts, candidates, ids);
      return byWords.map(({ score: text, ...hit }) => {
        const score = text > 0 ? scoreBehind(parts, { text, rank: behind + 1, scale }) : 0;
        return known.get(hit.id) ?? { ...hit, score };
      });
    },
  };
}

async function scaleFor(parts: BothParts, known: Known[]): Promise<Scale> {
  const neighbours = known.filter(({ isNeighbour }) => isNeighbour).length;
  return scaleOf([await sidesOf(parts, known)], [neighbours], parts.query);
}

function candidatesOf(
  { query }: BothParts,
  { matched, neighbourIds }: { matched: Query; neighbourIds: string[] },
): Query {
  if (query.alpha === 0) return matched;
  const neighbours = among('id', neighbourIds);
  return query.alpha === 1 ? neighbours : anyOf([matched, neighbours]);
}

/** Of candidates, the best first. */
function scoredHits({ query, reading }: BothParts, known: Known[], scale: Scale): FoundHit[] {
  const trust = vectorTrust(query, { words: reading?.words ?? [], totals: reading?.totals ?? null });
  const [textPart, vectorPart] =
    query.fusion === 'rrf' ? ranksOf(known, query.ranking.rankConstant) : sharesOf(scale);
  return known
    .map((one): FoundHit => {
      const score = (1 - query.alpha) * textPart(one) + query.alpha * trust * vectorPart(one);
      return { id: one.id, score, textMatch: one.text, isNeighbour: one.isNeighbour };
    })
    .sort((a, b) => b.score - a.score || compareIds(a.id, b.id));
}

type Part = (one: Known) => number;

function sharesOf(scale: Scale): [Part, Part] {
  return [(one) => textShare(scale, one), ({ similarity }) => vectorShare(scale, similarity)];
}

function ranksOf(known: Known[], constant: number): [Part, Part] {
  const rankedBy = (side: Known[], scoreOf: (one: Known) => number): Part => {
    const order = side.toSorted((a, b) => scoreOf(b) - scoreOf(a) || compareIds(a.id, b.id));
    const ranks = new Map(order.map(({ id }, i) => [id, i + 1]));
    return ({ id }) => {
      const rank = ranks.get(id);
      return rank === undefined ? 0 : (constant + 1) / (constant + rank);
    };
  };
  const withText = known.filter(({ text, isMatch }) => text > 0 || isMatch);
  const withVector = known.filter(({ similarity }) => similarity > Number.NEGATIVE_INFINITY);
  return [rankedBy(withText, ({ text }) => text), rankedBy(withVector, ({ similarity }) => similarity)];
}

/** Of what the words match beyond the best: nothing is known of its vector. */
function scoreBehind(
  { query }: BothParts,
  { text, rank, scale }: { text: number; rank: number; scale: Scale },
): number {
  const constant = query.ranking.rankConstant;
  if (query.fusion === 'rrf') return ((1 - query.alpha) * (constant + 1)) / (constant + rank);
  return (1 - query.alpha) * textShare(scale, { text, coverage: 0, isMatch: true });
}

async function sortedPage(
  parts: BothParts,
  asked: {
    candidates: Query;
    offset: number;
    limit: number;
    without: string[];
    scored: FoundHit[];
    scale: Scale;
  },
) {
  const { candidates, without, scored, scale } = asked;
  const left = without.length === 0 ? candidates : allOf([candidates, noneOf([among('id', without)])]);
  const query = scoredQuery(parts, left);
  const sort = sortClauses(parts.query, false);
  const [reply] = await parts.ask([
    { from: asked.offset, size: asked.limit, query, sort, track_scores: true },
  ]);
  const known = new Map(scored.map((hit) => [hit.id, hit]));
  const hits = hitsOf(reply).map((hit): FoundHit => {
    const text = textScoreOf(hit, parts);
    const score = scoreBehind(parts, { text, rank: scored.length + 1, scale });
    return known.get(hit._id) ?? { id: hit._id, score, textMatch: text, isNeighbour: false };
  });
  return { found: totalOf(reply), hits, scale };
}
