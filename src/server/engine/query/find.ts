/** What the two sides of a search put forward: the matches of its words, and the nearest vectors among what passes the filters. */
import { Bitset } from '../bits/bitset.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import { admittedDocuments } from '../lexical/asked-phrases.ts';
import { type KeywordMatches, KeywordSearch } from '../lexical/keyword-search.ts';
import type { Agreement, KeywordReading } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import { readSyntax } from '../text/query-syntax.ts';
import type { IndexSettings, Metric, Pin, SearchQuery } from '../types.ts';
import { distanceOf } from '../vector/similarity.ts';
import { passingBoth } from './filter/passing-documents.ts';
import type { SearchParts } from './search-parts.ts';
import { KeywordSide } from './sides/keyword-side.ts';
import type { SideOfWords } from './sides/side.ts';
import { calibratedBy } from './sides/side-figures.ts';
import { VectorSide } from './sides/vector-side.ts';

/** What the two sides found. */
export interface Findings {
  keyword: KeywordMatches;
  /** Keyword matches that pass the filter. */
  matched: Bitset;
  text: SideOfWords;
  /** Null: the search has no vector. */
  vector: VectorSide | null;
  /** The k nearest that pass the filter and the distance threshold. */
  neighbours: Bitset;
  /** Pins that pass the filter, each once, with the places they are to have, from 1. */
  pinned: { ordinal: number; position: number }[];
}

/** What both sides find. @throws FilterFaultError */
export function* find(
  parts: SearchParts,
  query: SearchQuery,
  { reading, neighbours: neighbourCount }: Pick<Agreement, 'reading' | 'neighbours'>,
): Steps<Findings> {
  const { progress } = parts;
  progress.part = 'filter';
  const passing = yield* passingBoth(parts, query);
  if (query.mode !== 'vector') progress.part = 'words';
  const keyword = yield* keywordMatches(parts, query, reading);
  if (query.mode !== 'keyword') progress.part = 'vector';
  return yield* findAmong(parts, { ...query, k: neighbourCount ?? query.k }, { keyword, passing });
}

/** The same once it is known what the words match: that does not depend on the filter. */
export function* findAmong(
  parts: SearchParts,
  query: SearchQuery,
  given: { keyword: KeywordMatches; passing: Bitset },
): Steps<Findings> {
  const { keyword } = given;
  const { documents } = parts;
  const isNarrowed = keyword.admitted !== null || query.excludeIds.length > 0;
  const passing = isNarrowed && given.passing === documents.live ? documents.live.clone() : given.passing;
  if (keyword.admitted !== null) passing.and(keyword.admitted);
  for (const id of query.excludeIds) passing.remove(documents.ordinalOf(id) ?? documents.capacity);
  const vector = vectorSideOf(parts, query, passing);
  const neighbours = new Bitset(vector === null ? 0 : documents.capacity);
  if (vector !== null && query.k > 0) {
    // More than k are looked for where the range of similarities needs them.
    const most = query.mode === 'hybrid' || query.relevance ? calibratedBy(query) : query.k;
    const { ordinals, similarities } = yield* vector.nearest(most);
    const isNear = nearnessOf(query, parts.settings);
    for (const [place, ordinal] of ordinals.subarray(0, query.k).entries())
      if (isNear(similarities[place] ?? 0)) neighbours.add(ordinal);
  }
  // Only living documents match: without a filter all of them pass.
  const matched = passing === documents.live ? keyword.matched : keyword.matched.clone().and(passing);
  const text = new KeywordSide(matched, keyword.scores, documents.isBefore);
  const pinned = pinnedIn(documents, query.pins, passing);
  return { keyword, matched, text, vector, neighbours, pinned };
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
  if (!hasWords(query)) {
    const admitted = yield* admittedDocuments(parts, query);
    const none = { ...nothing(documents), admitted };
    return query.mode === 'vector' ? none : { ...none, matched: (admitted ?? documents.live).clone() };
  }
  const search = new KeywordSearch(parts, query);
  return yield* reading === null ? search.run() : search.matches(reading);
}

/** Null: the search has no vector. */
export function vectorSideOf(
  parts: SearchParts,
  { mode, vector, metric, isExact }: SearchQuery,
  passes: Bitset,
): VectorSide | null {
  return mode === 'keyword' || vector === null
    ? null
    : new VectorSide(parts, { mode, vector, metric, isExact }, passes);
}

/** Without words every document matches. */
export function hasWords({ mode, text }: SearchQuery): boolean {
  const words = readSyntax(text).text.trim();
  return mode !== 'vector' && words !== '' && words !== '*';
}

export function nothing({ capacity }: DocumentTable): KeywordMatches {
  return {
    matched: new Bitset(capacity),
    admitted: null,
    scores: null,
    rule: null,
    held: [],
    plan: [],
    words: [],
    totals: null,
    whole: null,
  };
}

/** Whether a similarity is within the distance threshold. */
export function nearnessOf(
  { distanceThreshold, metric }: SearchQuery,
  settings: Pick<IndexSettings, 'metric'>,
): (similarity: number) => boolean {
  const farthest = distanceThreshold ?? Number.POSITIVE_INFINITY;
  return (similarity) => distanceOf(metric ?? settings.metric, similarity) <= farthest;
}

/** Null: the document has none of the words. */
export function textMatchOf({ keyword }: Findings, ordinal: number): number | null {
  const score = keyword.scores?.scoreOf(ordinal) ?? 0;
  return score > 0 ? score : null;
}

/** Null: the search or the document has no vector. */
export function vectorDistanceOf(metric: Metric, { vector }: Findings, ordinal: number): number | null {
  const similarity = vector?.similarityOf(ordinal) ?? Number.NEGATIVE_INFINITY;
  return similarity === Number.NEGATIVE_INFINITY ? null : distanceOf(metric, similarity);
}
