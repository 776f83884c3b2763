import type { Scale, SideFigures } from '#server/engine/merged-types.ts';
import { scaleOf } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { KeywordSearch } from './keyword-search.ts';
import type { AskSearches, FoundId, SearchReply } from './multi-search.ts';
import { allOf, among, everything, nothing, type Query } from './query.ts';
import type { FoundHit, Ranked, Reading } from './ranked.ts';
import type { SortPlan } from './sort-plan.ts';
import { toldRelevance } from './told-relevance.ts';

export interface WordsParts {
  ask: AskSearches;
  query: SearchQuery;
  keyword: KeywordSearch;
  reading: Reading;
  /** What the cluster's BM25 is of ours. */
  unit: number;
  /** By the keys that the cluster knows. */
  plan: SortPlan;
  /** Whether documents have points in a field. */
  hasPoints: (field: string) => boolean;
}

/** Documents that the words match and that pass. */
export function matchedQuery(
  { keyword, reading }: Pick<WordsParts, 'keyword' | 'reading'>,
  passing: Query,
): Query {
  const matches = reading === null ? keyword.admitted : keyword.matches(reading);
  return allOf([matches, passing].filter((each) => each !== everything));
}

/** These documents with the score of the words; 0 where there are none. */
export function scoredQuery({ keyword, reading, unit }: WordsParts, filter: Query): Query {
  const should = reading === null ? [] : keyword.scores(reading, unit);
  return { bool: { filter: [filter], should, minimum_should_match: 0 } };
}

/** Of these documents those whose words have at least this score. */
export function scoringAtLeast(parts: WordsParts, candidates: Query, scoreMin: number): Query {
  if (scoreMin <= 0) return candidates;
  if (!Number.isFinite(scoreMin)) return nothing;
  // Scores are in single precision.
  const min_score = scoreMin * parts.unit * (1 - 1e-6);
  return { function_score: { query: scoredQuery(parts, candidates), min_score } };
}

/** A search by words alone. `given`: by what relevance is told; null: by this index's own. */
export async function rankedWords(parts: WordsParts, passing: Query, given: Scale | null): Promise<Ranked> {
  const { query, reading, plan } = parts;
  const matched = matchedQuery(parts, passing);
  const scale = query.relevance && reading !== null ? (given ?? (await scaleOfWords(parts, matched))) : null;
  const told = toldRelevance(query, { reading, scale });
  const candidates = told === null ? matched : scoringAtLeast(parts, matched, told.scoreMin);
  return {
    candidates,
    known: [],
    others: {
      candidates,
      named: [],
      naming: () => candidates,
      scored: (left) => scoredQuery(parts, left),
      sort: plan.clauses,
      toHit(hit, rank) {
        const text = textScoreOf(hit, parts);
        return { ...plainHit(hit._id, text), sort: plan.toSort(hit.sort ?? []), own: ownPlace(hit, rank) };
      },
    },
    order: plan.order,
    scale,
    told,
    these: (ids) => theseByWords(parts, candidates, ids),
  };
}

export function plainHit(id: string, text: number): FoundHit {
  return {
    id,
    score: text,
    textMatch: text,
    coverage: 0,
    isNeighbour: false,
    sort: [text, id],
    own: null,
  };
}

export const ownPlace = ({ sort = [] }: FoundId, rank: number) => ({ rank, sort });

/** The best score says all. */
async function scaleOfWords(parts: WordsParts, matched: Query): Promise<Scale> {
  const [reply] = await parts.ask([{ size: 1, query: scoredQuery(parts, matched) }]);
  const none = { texts: new Float64Array(0), similarities: new Float64Array(0) };
  const textMax = (reply?.hits.max_score ?? 0) / parts.unit;
  const best = { texts: Float64Array.of(textMax), similarities: Float64Array.of(Number.NEGATIVE_INFINITY) };
  const figures: SideFigures = {
    byText: textMax > 0 ? best : none,
    bySimilarity: none,
    asked: 0,
    spread: { count: 0, mean: 0, squares: 0 },
  };
  return scaleOf([figures], [0], { ...parts.query, alpha: 0 });
}

/** With the score of the words, be they candidates or not. */
export async function theseByWords(parts: WordsParts, candidates: Query, ids: string[]): Promise<FoundHit[]> {
  const [scored, passing] = await parts.ask([
    { size: ids.length, query: scoredQuery(parts, among('id', ids)) },
    { size: ids.length, query: allOf([candidates, among('id', ids)]) },
  ]);
  const texts = new Map(hitsOf(scored).map((hit) => [hit._id, textScoreOf(hit, parts)]));
  const isCandidate = new Set(hitsOf(passing).map(({ _id }) => _id));
  return ids.map((id) => {
    const textMatch = texts.get(id) ?? 0;
    return { ...plainHit(id, textMatch), score: isCandidate.has(id) ? textMatch : 0 };
  });
}

export const hitsOf = (reply: SearchReply | undefined): FoundId[] => reply?.hits.hits ?? [];

/** In the embedded engine's unit. */
export function textScoreOf(
  { _score: score }: FoundId,
  { reading, unit }: Pick<WordsParts, 'reading' | 'unit'>,
): number {
  return reading === null ? 0 : (score ?? 0) / unit;
}
