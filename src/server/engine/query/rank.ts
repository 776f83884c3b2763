/** From what both sides found to scored candidates, and their order. */
import type { Bitset } from '../bits/bitset.ts';
import type { Agreement, Scale } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import { type Findings, textMatchOf, vectorDistanceOf } from './find.ts';
import { fuse, type ScoredCandidates } from './fuse.ts';
import { addGivenSupport, addSupport, supportWeight } from './neighbour-support.ts';
import type { RelevanceFigures } from './relevance/relevance-model.ts';
import { tellRelevance } from './relevance/tell-relevance.ts';
import type { SearchParts } from './search-parts.ts';
import { ownScale } from './sides/side-figures.ts';
import { vectorTrust } from './sides/vector-trust.ts';
import type { Ordering } from './walk/hit-order.ts';
import { orderedHits } from './walk/ordered-hits.ts';

/** `candidates` are those with enough relevance, where a search asks for that. */
export interface RankedCandidates extends ScoredCandidates {
  /** Those too that have too little. */
  all: Bitset;
  /** By ordinal, of any of these; null: it is not told. */
  relevanceOf: ((ordinal: number) => number) | null;
}

/** With what relevance is told from. */
type Judged = RankedCandidates & { figuresOf: ((ordinal: number) => RelevanceFigures) | null };

/** What scores depend on where several indexes are searched as one. */
type GivenScores = Pick<Agreement, 'scale' | 'support'>;

/** `given`: null: this index is searched alone. */
export function* rank(
  parts: SearchParts,
  query: SearchQuery,
  findings: Findings,
  given: GivenScores | null = null,
): Steps<Judged> {
  parts.progress.part = 'ranking';
  const { relevance } = query;
  const { keyword, vector } = findings;
  if (!relevance || (keyword.scores === null && vector === null)) {
    const scored = yield* scoreAll(parts, query, { findings, scale: given?.scale ?? null, given });
    return { ...scored, all: scored.candidates, relevanceOf: null, figuresOf: null };
  }
  const scale = given?.scale ?? (yield* ownScale(findings, { ...query, alpha: sideWeight(query) }));
  const scored = yield* scoreAll(parts, query, { findings, scale, given });
  const scoreAt = (ordinal: number) => scoreOf(scored, ordinal);
  const ofSearch = { keyword, scored, scoreOf: scoreAt, scale };
  const { kept, ...told } = yield* tellRelevance({ ...query, relevance }, ofSearch);
  return { ...told, scores: scored.scores, candidates: kept, all: scored.candidates };
}

/** How far the vector decides which candidates there are. */
export function sideWeight({ mode, alpha }: Pick<SearchQuery, 'mode' | 'alpha'>): number {
  return { keyword: 0, vector: 1, hybrid: alpha }[mode];
}

function* scoreAll(
  parts: SearchParts,
  query: SearchQuery,
  { findings, scale, given }: { findings: Findings; scale: Scale | null; given: GivenScores | null },
): Steps<ScoredCandidates> {
  const { keyword, matched, neighbours } = findings;
  if (query.mode === 'keyword') return { candidates: matched, scores: keyword.scores };
  const { scratch } = parts;
  const { isBefore, capacity } = parts.documents;
  if (query.mode === 'vector')
    return { candidates: neighbours, scores: yield* similarityScores(parts, findings) };
  const trust = vectorTrust(query, keyword);
  const fused = yield* fuse(findings, { ...query, vectorTrust: trust, isBefore, scale, capacity, scratch });
  const weight = given === null ? supportWeight(query, keyword) : 0;
  if (weight > 0) yield* addSupport(parts, fused, weight);
  if (given?.support) yield* addGivenSupport(parts, fused, given.support);
  return fused;
}

/** By ordinal, of the neighbours. */
function* similarityScores(
  { documents, scratch }: SearchParts,
  { vector, neighbours }: Findings,
): Steps<Float64Array> {
  const scores = scratch.numbers('fused', documents.capacity);
  if (vector === null) return scores;
  const { ordinals, similarities } = yield* vector.nearest(neighbours.count());
  for (const [place, ordinal] of ordinals.entries()) scores[ordinal] = similarities[place] ?? 0;
  return scores;
}

export function scoreOf({ scores }: ScoredCandidates, ordinal: number): number {
  if (scores === null) return 0;
  return scores instanceof Float64Array ? (scores[ordinal] ?? 0) : scores.scoreOf(ordinal);
}

/** What a page and its hits are read from. */
export interface Ranking {
  ranked: RankedCandidates;
  findings: Findings;
}

export function orderingOf(
  { documents, scratch, columns, settings }: SearchParts,
  { mode, sort, metric }: SearchQuery,
  { ranked, findings }: Ranking,
): Ordering {
  const ownScore = (ordinal: number) => scoreOf(ranked, ordinal);
  const scoreOfKind = (ordinal: number, kind: '_score' | '_text_match' | '_vector_distance') => {
    if (kind === '_score') return ownScore(ordinal);
    if (kind === '_text_match') return textMatchOf(findings, ordinal);
    return vectorDistanceOf(metric ?? settings.metric, findings, ordinal);
  };
  const source = { columns, scoreOf: scoreOfKind, isBefore: documents.isBefore };
  const { scores } = ranked;
  const best =
    scores === null || scores instanceof Float64Array
      ? null
      : (count: number, among: Bitset) => scores.best(count, among, documents.isBefore);
  const readsText = mode === 'keyword' || sort.some(({ field }) => field === '_text_match');
  function* know(among: Bitset): Steps<Float64Array | null> {
    return readsText && findings.keyword.scores !== null ? yield* findings.keyword.scores.know(among) : null;
  }
  return { documents, scratch, sort, scoreOf: ownScore, source, best, know };
}

export function* orderedPart(parts: SearchParts, query: SearchQuery, ranking: Ranking): Steps<Int32Array> {
  return yield* orderedHits(ranking.ranked.candidates, query, orderingOf(parts, query, ranking));
}
