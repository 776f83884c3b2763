import type { Scale, SideFigures, Spread } from '#server/engine/merged-types.ts';
import { calibratedBy, scaleOf, sideWeight, spreadOf, supportedMax } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { LiftParts } from './lifted-hits.ts';
import { type Near, similarityOf, similaritySearch } from './nearest.ts';
import { nearestAsked, neighboursOf, type VectorsParts } from './neighbours.ts';
import { among, type Query } from './query.ts';
import { hitsOf, scoredQuery, textScoreOf, type WordsParts } from './ranked-words.ts';
import { sortPlan } from './sort-plan.ts';

export type BothParts = WordsParts & VectorsParts & LiftParts;

/** A document of which both sides' scores are known. */
export interface Known {
  id: string;
  text: number;
  /** −Infinity: it has no vector. */
  similarity: number;
  coverage: number;
  isMatch: boolean;
  isNeighbour: boolean;
}

/** How many of each side are looked at: those that lift each other are among them. */
export const bestMax = (query: SearchQuery) => Math.max(calibratedBy(query), supportedMax);

/** The best of each side, with both scores. `nearPassing`: `bestMax` of them, where there are so many. */
export async function bestOfBoth(
  parts: BothParts,
  matched: Query,
  nearPassing: Promise<Near[]>,
): Promise<Known[]> {
  const { ask, query, keyword, reading } = parts;
  const sort = sortPlan({ sort: [] }).clauses;
  const [[byText], near] = await Promise.all([
    ask([{ size: bestMax(query), query: scoredQuery(parts, matched), sort, track_scores: true }]),
    nearPassing,
  ]);
  const matching = hitsOf(byText);
  const isMatch = new Set(matching.map(({ _id }) => _id));
  const ids = [...new Set([...isMatch, ...near.map(({ id }) => id)])];
  const texts = new Map(matching.map((hit) => [hit._id, textScoreOf(hit, parts)]));
  const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
  const coverages = new Map<string, number>();
  const asked = nearestAsked(parts);
  const withoutText = reading === null ? [] : ids.filter((id) => !texts.has(id));
  const withoutSimilarity = asked === null ? [] : ids.filter((id) => !similarities.has(id));
  const weight = reading === null ? 0 : keyword.askedWeight(reading);
  const searches: { search: object; take: (id: string, score: number) => void }[] = [];
  if (withoutText.length > 0)
    searches.push({
      search: { size: withoutText.length, query: scoredQuery(parts, among('id', withoutText)) },
      take: (id, score) => texts.set(id, score / parts.unit),
    });
  if (asked !== null && withoutSimilarity.length > 0)
    searches.push({
      search: similaritySearch(asked, withoutSimilarity),
      take: (id, score) => similarities.set(id, similarityOf(asked.by, score)),
    });
  if (reading !== null && ids.length > 0)
    searches.push({
      search: {
        size: ids.length,
        query: { bool: { must: [keyword.coverage(reading)], filter: [among('id', ids)] } },
      },
      take: (id, score) => coverages.set(id, weight > 0 ? Math.min(1, score / weight) : 0),
    });
  const replies = await ask(searches.map(({ search }) => search));
  replies.forEach((reply, i) => {
    for (const { _id, _score } of hitsOf(reply)) searches[i]?.take(_id, _score ?? 0);
  });
  const neighbours = new Set(neighboursOf(parts, near).map(({ id }) => id));
  return ids.map((id) => ({
    id,
    text: texts.get(id) ?? 0,
    similarity: similarities.get(id) ?? Number.NEGATIVE_INFINITY,
    coverage: coverages.get(id) ?? 0,
    isMatch: isMatch.has(id),
    isNeighbour: neighbours.has(id),
  }));
}

/** What scores are normalised by in a search of this index alone. */
export function scaleOfBest(parts: BothParts, known: Known[], spread: Spread): Scale {
  const neighbours = known.filter(({ isNeighbour }) => isNeighbour).length;
  const asked = { ...parts.query, alpha: sideWeight(parts.query) };
  return scaleOf([sidesOf(parts, known, spread)], [neighbours], asked);
}

/** The best of each side, and how similarities are spread. */
export function sidesOf({ query, keyword, reading }: BothParts, known: Known[], spread: Spread): SideFigures {
  const figures = (side: Known[]) => ({
    texts: Float64Array.from(side, ({ text }) => text),
    similarities: Float64Array.from(side, ({ similarity }) => similarity),
  });
  const byText = known
    .filter(({ isMatch }) => isMatch)
    .sort((a, b) => b.text - a.text)
    .slice(0, calibratedBy(query));
  const bySimilarity = known
    .filter(({ similarity }) => similarity > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, calibratedBy(query));
  return {
    byText: figures(byText),
    bySimilarity: figures(bySimilarity),
    asked: reading === null ? 0 : keyword.askedWeight(reading),
    spread,
  };
}

export const noSpread: Spread = { count: 0, mean: 0, squares: 0 };

/** How similarities are spread, of documents that were drawn, whatever else is asked of the search. */
export function spreadIn(parts: BothParts): Promise<Spread> {
  parts.spread.known ??= readSpread(parts);
  return parts.spread.known;
}

async function readSpread(parts: BothParts): Promise<Spread> {
  const asked = nearestAsked(parts);
  const { ids, documents } = asked === null ? { ids: [], documents: 0 } : await parts.drawn();
  if (asked === null || ids.length === 0) return noSpread;
  // Nobody asks which document is how similar.
  const [reply] = await parts.ask([{ ...similaritySearch(asked, ids), docvalue_fields: [] }]);
  const similarities = hitsOf(reply).map(({ _score }) => similarityOf(asked.by, _score ?? 0));
  return spreadOf(Float64Array.from(similarities), documents / Math.max(1, similarities.length));
}
