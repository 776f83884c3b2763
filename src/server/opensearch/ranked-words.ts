import type { SearchQuery } from '#server/engine/types.ts';
import type { FoundHit, Ranked, Reading } from './found-page.ts';
import type { KeywordSearch } from './keyword-search.ts';
import type { AskSearches, FoundId, SearchReply } from './multi-search.ts';
import { allOf, among, everything, noneOf, type Query } from './query.ts';
import { sortClauses } from './sort-clauses.ts';

export interface WordsParts {
  ask: AskSearches;
  query: SearchQuery;
  keyword: KeywordSearch;
  reading: Reading;
  /** What the cluster's BM25 is of ours. */
  unit: number;
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

/** A search by words alone. */
export function rankedWords(parts: WordsParts, passing: Query): Ranked {
  const candidates = matchedQuery(parts, passing);
  return {
    candidates,
    async page({ offset, limit, without, after = null }) {
      const left = without.length === 0 ? candidates : allOf([candidates, noneOf([among('id', without)])]);
      const [reply] = await parts.ask([
        {
          ...(after === null ? { from: offset } : { search_after: after }),
          size: limit,
          query: scoredQuery(parts, left),
          sort: sortClauses(parts.query, true),
          track_scores: true,
        },
      ]);
      const hits = hitsOf(reply).map((hit): FoundHit => {
        const text = textScoreOf(hit, parts);
        return { id: hit._id, score: text, textMatch: text, isNeighbour: false, sort: hit.sort };
      });
      return { found: totalOf(reply), hits, scale: null };
    },
    these: (ids) => theseByWords(parts, candidates, ids),
  };
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
    return { id, score: isCandidate.has(id) ? textMatch : 0, textMatch, isNeighbour: false };
  });
}

export const hitsOf = (reply: SearchReply | undefined): FoundId[] => reply?.hits.hits ?? [];
export const totalOf = (reply: SearchReply | undefined): number => reply?.hits.total.value ?? 0;

/** In the embedded engine's unit. */
export function textScoreOf(
  { _score: score }: FoundId,
  { reading, unit }: Pick<WordsParts, 'reading' | 'unit'>,
): number {
  return reading === null ? 0 : (score ?? 0) / unit;
}
