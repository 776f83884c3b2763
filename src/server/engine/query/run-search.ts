/**
 * One search: filter → keyword matches and nearest neighbours → candidates and scores → pins → order → page, facets, highlights.
 * One truth for counts: `found`, facets and every page speak of the same candidate set. Every order ends in the id, so pages never
 * repeat or drop a hit.
 */
import { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import { parseJson } from '../documents/parse-json.ts';
import { textFieldNames } from '../documents/text-fields.ts';
import { type KeywordMatches, KeywordSearch } from '../lexical/keyword-search.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { reportOf } from '../lexical/read-query.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type {
  Agreement,
  EngineAnswer,
  EngineFacet,
  EngineHit,
  IndexSettings,
  KeywordReading,
  Metric,
  Pin,
  Scale,
  SearchProgress,
  SearchQuery,
} from '../types.ts';
import { distanceOf } from '../vector/similarity.ts';
import type { Similarities, VectorTable } from '../vector/vector-table.ts';
import { AnswerTooLargeError } from './answer-too-large-error.ts';
import type { ColumnStore } from './columns/column-store.ts';
import type { Explanation } from './explain/explanation.ts';
import { countFacets } from './facets/count-facets.ts';
import { passingBeside, passingBoth } from './filter/passing-documents.ts';
import { candidatesOf, fuse, type ScoredCandidates } from './fuse.ts';
import { hitDistances } from './geo/hit-distances.ts';
import { characterUnits } from './highlights/highlighter.ts';
import { PageHighlights } from './highlights/page-highlights.ts';
import { listHits } from './list-hits.ts';
import { checkNames } from './names/check-names.ts';
import { PinnedList } from './pinned-list.ts';
import { offerSimilar } from './sides/side-figures.ts';
import type { Ordering } from './walk/hit-order.ts';
import { orderedHits } from './walk/ordered-hits.ts';

export interface IndexParts {
  settings: IndexSettings;
  documents: DocumentTable;
  lexical: LexicalIndex;
  vectors: VectorTable;
  columns: ColumnStore;
}

/** What one search works with. */
export interface SearchParts extends IndexParts {
  /** Its own until it ends. */
  scratch: SearchScratch;
  progress: SearchProgress;
}

/** What the two sides found. */
export interface Findings {
  keyword: KeywordMatches;
  /** Keyword matches that pass the filter. */
  matched: Bitset;
  /** Null: the search has no vector. */
  similarities: Similarities | null;
  neighbours: Bitset;
  /** Pins that pass the filter, each once, with the places they are to have, from 1. */
  pinned: { ordinal: number; position: number }[];
}

/** Of an index that is searched for itself. */
const alone = { reading: null, neighbours: null };

/** Takes the scores of a page's hits apart, in its order. */
export type ExplainHits = (
  parts: SearchParts,
  query: SearchQuery,
  page: Ranking & { page: Int32Array },
) => Steps<Explanation[]>;

/** @throws FieldNameError, FilterFaultError, TooDearError, AnswerTooLargeError */
export function* runSearch(
  parts: SearchParts,
  query: SearchQuery,
  explain: ExplainHits | null = null,
): Steps<EngineAnswer> {
  const { documents } = parts;
  checkNames(parts, query);
  const findings = yield* find(parts, query, alone);
  const ranked = yield* rank(parts, query, findings);
  const pins = new PinnedList(ranked.candidates, findings.pinned);
  const { page, ...listed } = yield* listHits(pins, query, orderingOf(parts, query, { ranked, findings }));
  const hits = yield* hitsOf(parts, query, { page, ranked, findings, pins });
  const explained = explain === null ? [] : yield* explain(parts, query, { page, ranked, findings });
  hits.forEach((hit, place) => {
    const explanation = explained[place];
    if (explanation !== undefined) hit.explanation = explanation;
  });
  return {
    ...listed,
    foundDocuments: pins.all.count(),
    outOf: documents.liveCount,
    hits,
    facets: yield* facetsOf(parts, query, { findings, candidates: pins.all }),
    matchRule: findings.keyword.rule,
    ...reportOf(findings.keyword.plan, [findings.keyword.held]),
  };
}

/** What both sides find. @throws FilterFaultError */
export function* find(
  parts: SearchParts,
  query: SearchQuery,
  { reading, neighbours: neighbourCount }: Pick<Agreement, 'reading' | 'neighbours'>,
): Steps<Findings> {
  const { documents, progress } = parts;
  progress.part = 'filter';
  const passing = yield* passingBoth(parts, query);
  progress.part = 'words';
  const keyword = query.mode === 'vector' ? nothing(documents) : yield* keywordMatches(parts, query, reading);
  progress.part = 'vector';
  return yield* findAmong(parts, { ...query, k: neighbourCount ?? query.k }, { keyword, passing });
}

/** The same once it is known what the words match: that does not depend on the filter. */
function* findAmong(
  parts: SearchParts,
  query: SearchQuery,
  { keyword, passing }: { keyword: KeywordMatches; passing: Bitset },
): Steps<Findings> {
  const { documents } = parts;
  for (const id of query.excludeIds) passing.remove(documents.ordinalOf(id) ?? documents.capacity);
  const similarities = isCompared(query) ? yield* similaritiesOf(parts, query, passing) : null;
  const neighbours = new Bitset(documents.capacity);
  if (similarities !== null)
    for (const ordinal of yield* nearest(parts, query, similarities)) neighbours.add(ordinal);
  const matched = keyword.matched.clone().and(passing);
  return { keyword, matched, similarities, neighbours, pinned: pinnedIn(documents, query.pins, passing) };
}

function pinnedIn(documents: DocumentTable, pins: Pin[], passing: Bitset): Findings['pinned'] {
  const pinned = new Map<number, number>();
  for (const { id, position } of pins.toSorted((a, b) => a.position - b.position)) {
    const ordinal = documents.ordinalOf(id);
    if (ordinal !== undefined && passing.has(ordinal) && !pinned.has(ordinal)) pinned.set(ordinal, position);
  }
  return Array.from(pinned, ([ordinal, position]) => ({ ordinal, position }));
}

function* keywordMatches(
  parts: SearchParts,
  query: SearchQuery,
  reading: KeywordReading | null,
): Steps<KeywordMatches> {
  const { documents } = parts;
  if (!hasWords(query)) return { ...nothing(documents), matched: documents.live.clone() };
  const search = new KeywordSearch(parts, query);
  return yield* reading === null ? search.run() : search.matches(reading);
}

const isCompared = ({ mode, vector }: SearchQuery): boolean => mode !== 'keyword' && vector !== null;

/** Null: the search has no vector. */
export function* similaritiesOf(
  { vectors, documents, scratch }: SearchParts,
  { mode, vector, metric }: SearchQuery,
  passes: Bitset,
): Steps<Similarities | null> {
  if (mode === 'keyword' || vector === null) return null;
  return yield* vectors.compare(vector, { passes, capacity: documents.capacity, metric, scratch });
}

/** Without words every document matches. */
export function hasWords({ mode, text }: SearchQuery): boolean {
  const words = text.trim();
  return mode !== 'vector' && words !== '' && words !== '*';
}

export function nothing({ capacity }: DocumentTable): KeywordMatches {
  return {
    matched: new Bitset(capacity),
    scores: null,
    rule: null,
    held: [],
    plan: [],
    words: [],
    totals: null,
  };
}

/** The k nearest that pass the filter and the distance threshold. */
function* nearest(
  { settings, documents }: SearchParts,
  query: SearchQuery,
  { best }: Similarities,
): Steps<Int32Array> {
  const top = new TopK(query.k, documents.isBefore);
  yield* offerSimilar(top, best, nearnessOf(query, settings));
  return (yield* top.sorted()).ordinals;
}

/** Whether a similarity is within the distance threshold. */
export function nearnessOf(
  { distanceThreshold, metric }: SearchQuery,
  settings: Pick<IndexSettings, 'metric'>,
): (similarity: number) => boolean {
  const farthest = distanceThreshold ?? Number.POSITIVE_INFINITY;
  return (similarity) => distanceOf(metric ?? settings.metric, similarity) <= farthest;
}

export function* rank(
  parts: SearchParts,
  query: SearchQuery,
  findings: Findings,
  scale: Scale | null = null,
): Steps<ScoredCandidates> {
  parts.progress.part = 'ranking';
  const { keyword, matched, neighbours } = findings;
  if (query.mode === 'keyword') return { candidates: matched, scores: keyword.scores };
  const similarities = findings.similarities?.best ?? null;
  if (query.mode === 'vector') return { candidates: neighbours, scores: similarities };
  const { scratch } = parts;
  const { isBefore, capacity } = parts.documents;
  return yield* fuse(
    { matched, textScores: keyword.scores, neighbours, similarities },
    { ...query, isBefore, scale, capacity, scratch },
  );
}

export function scoreOf({ scores }: ScoredCandidates, ordinal: number): number {
  return scores === null ? 0 : (scores[ordinal] ?? 0);
}

/** What a page and its hits are read from. */
export interface Ranking {
  ranked: ScoredCandidates;
  findings: Findings;
}

function orderingOf(
  { documents, scratch, columns, settings }: SearchParts,
  { sort, metric }: SearchQuery,
  { ranked, findings }: Ranking,
): Ordering {
  const ownScore = (ordinal: number) => scoreOf(ranked, ordinal);
  const scoreOfKind = (ordinal: number, kind: '_score' | '_text_match' | '_vector_distance') => {
    if (kind === '_score') return ownScore(ordinal);
    if (kind === '_text_match') return textMatchOf(findings, ordinal);
    return vectorDistanceOf(metric ?? settings.metric, findings, ordinal);
  };
  const source = { columns, scoreOf: scoreOfKind, isBefore: documents.isBefore };
  return { documents, scratch, sort, scoreOf: ownScore, source };
}

export function* orderedPart(parts: SearchParts, query: SearchQuery, ranking: Ranking): Steps<Int32Array> {
  return yield* orderedHits(ranking.ranked.candidates, query, orderingOf(parts, query, ranking));
}

/** The similarities of the findings are not theirs any more afterwards: other documents may be compared with the query. */
export function* facetsOf(
  parts: SearchParts,
  query: SearchQuery,
  { findings, candidates }: { findings: Findings; candidates: Bitset },
): Steps<EngineFacet[]> {
  const { columns, progress } = parts;
  if (query.facets.length === 0) return [];
  progress.part = 'facets';
  const byField = new Map<string, Bitset>();
  if (query.areFacetsDisjunctive) {
    const fields = new Set(query.facets.map(({ field }) => field));
    for (const [field, passing] of yield* passingBeside(parts, query, fields))
      byField.set(field, yield* candidatesAmong(parts, query, { keyword: findings.keyword, passing }));
  }
  return yield* countFacets(candidates, { ...query, candidatesOf: byField }, columns);
}

/** What the candidates were if these documents passed the filter. */
function* candidatesAmong(
  parts: SearchParts,
  query: SearchQuery,
  given: { keyword: KeywordMatches; passing: Bitset },
): Steps<Bitset> {
  const { matched, neighbours, pinned } = yield* findAmong(parts, query, given);
  const found = { keyword: matched, vector: neighbours, hybrid: null }[query.mode];
  return new PinnedList(found ?? candidatesOf({ matched, neighbours }, query.alpha), pinned).all;
}

/** Of work, beside a unit for each byte of the document. */
const hitUnits = 256;
/** A document of no more is read and highlighted in one go: a generator for each part of it would cost more than the part. */
const atOnceBytesMax = 16_384;

export function* hitsOf(
  parts: SearchParts,
  query: SearchQuery,
  { page, ranked, findings, pins = null }: Ranking & { page: Int32Array; pins?: PinnedList | null },
): Steps<EngineHit[]> {
  if (page.length === 0) return [];
  const { documents, lexical, columns } = parts;
  assertFits(documents, page, query.sourceBytesMax);
  parts.progress.part = 'highlights';
  const highlights = yield* PageHighlights.of({ lexical, words: findings.keyword.words }, query, page);
  const distances = yield* hitDistances(columns, query.sort, page);
  const hits: EngineHit[] = [];
  for (const [place, ordinal] of page.entries()) {
    const textMatch = textMatchOf(findings, ordinal);
    const fields = textMatch === null ? [] : highlights.fieldsAt(place);
    const span = spanOf(parts, findings, ordinal);
    const sourceBytes = documents.sourceBytesOf(ordinal);
    const isSmall = sourceBytes <= atOnceBytesMax;
    // Hits without highlights and passages are never parsed.
    const isRead = fields?.length !== 0 || span !== null;
    const document = !isRead
      ? {}
      : isSmall
        ? smallAt(documents, ordinal)
        : yield* documentAt(documents, ordinal);
    hits.push({
      id: documents.idOf(ordinal),
      sourceBytes,
      get source() {
        return documents.viewSource(ordinal);
      },
      // What only a pin has brought in has no score.
      score: ranked.candidates.has(ordinal) ? scoreOf(ranked, ordinal) : 0,
      isPinned: pins?.has(ordinal) ?? false,
      textMatch,
      vectorDistance: vectorDistanceOf(query.metric ?? parts.settings.metric, findings, ordinal),
      highlights:
        fields?.length === 0
          ? []
          : isSmall
            ? highlights.atOnce(document, fields)
            : yield* highlights.of(document, fields),
      passage: span === null ? null : yield* passageOf(span, document),
      ...(distances[place] && { distancesMeters: distances[place] }),
    });
    if (isPauseDue(hitUnits + sourceBytes * (isRead && isSmall ? 1 + characterUnits : 1))) yield;
  }
  return hits;
}

/** Before any text is read. @throws AnswerTooLargeError */
function assertFits(documents: DocumentTable, page: Int32Array, bytesMax: number | undefined): void {
  if (bytesMax === undefined) return;
  const bytes = page.reduce((sum, ordinal) => sum + documents.sourceBytesOf(ordinal), 0);
  if (bytes > bytesMax) throw new AnswerTooLargeError(bytes);
}

function smallAt(documents: DocumentTable, ordinal: number): Record<string, unknown> {
  return JSON.parse(documents.sourceOf(ordinal)) as Record<string, unknown>;
}

function documentAt(documents: DocumentTable, ordinal: number): Steps<Record<string, unknown>> {
  return parseJson(documents.sourceOf(ordinal)) as Steps<Record<string, unknown>>;
}

/** Null: the document has none of the words. */
export function textMatchOf({ keyword }: Findings, ordinal: number): number | null {
  const score = keyword.scores === null ? 0 : (keyword.scores[ordinal] ?? 0);
  return score > 0 ? score : null;
}

/** Null: the search or the document has no vector. */
export function vectorDistanceOf(metric: Metric, { similarities }: Findings, ordinal: number): number | null {
  const similarity = similarities?.best[ordinal] ?? Number.NEGATIVE_INFINITY;
  return similarity === Number.NEGATIVE_INFINITY ? null : distanceOf(metric, similarity);
}

/** Where the passage lies that made the vector score, where the document has several. */
function spanOf({ vectors }: IndexParts, { similarities }: Findings, ordinal: number): Int32Array | null {
  const passage = similarities === null ? -1 : (similarities.passage[ordinal] ?? -1);
  if (passage < 0) return null;
  const spans = vectors.spansOf(ordinal);
  return spans.length <= 3 ? null : spans.subarray(passage * 3, passage * 3 + 3);
}

/** Null: it does not lie in one field. */
function* passageOf(
  [place = -1, start = 0, end = 0]: Int32Array,
  document: Record<string, unknown>,
): Steps<EngineHit['passage']> {
  const field = (yield* textFieldNames(document))[place];
  return field === undefined ? null : { field, start, end };
}
