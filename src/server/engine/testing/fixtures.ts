import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { ByteStream } from '../memory/byte-stream.ts';
import { SectionReader, type SectionWriter } from '../memory/sections.ts';
import { SearchIndex } from '../search-index.ts';
import { decodeWhole, encodeSnapshot } from '../snapshot.ts';
import { runSteps } from '../steps.ts';
import type { IndexedDocument, IndexSettings, SearchQuery, Snapshot } from '../types.ts';

/** A search with the API's defaults. */
export function searchFor(query: Partial<SearchQuery>): SearchQuery {
  return {
    mode: 'keyword',
    text: '',
    fields: null,
    vector: null,
    filter: null,
    ruleFilter: null,
    sort: [],
    facets: [],
    facetQuery: null,
    facetValuesMax: 10,
    areFacetsDisjunctive: false,
    group: null,
    walk: null,
    offset: 0,
    limit: 10,
    prefix: true,
    typosMax: 2,
    wordBreaks: 'fallback',
    dropTokensThreshold: 1,
    match: 'auto',
    stopWords: null,
    synonyms: [],
    k: 10,
    isExact: false,
    metric: null,
    distanceThreshold: null,
    alpha: 0.5,
    vectorTrust: null,
    fusion: 'weighted',
    highlightFields: null,
    excludeIds: [],
    pins: [],
    ranking: toRanking(),
    ...query,
  };
}

export const smallSettings: IndexSettings = { dimension: 2, metric: 'cosine', fields: [] };

/** A document as the record holds it; `rows` are the vectors of its passages. */
export function document(
  id: string,
  fields: Record<string, unknown>,
  rows: number[][] = [],
): IndexedDocument {
  return {
    id,
    source: JSON.stringify({ id, ...fields }),
    vectors: Float32Array.from(rows.flat()),
    spans: Int32Array.from(rows.flatMap((_, i) => [0, i * 10, i * 10 + 10])),
  };
}

export function indexOf(documents: IndexedDocument[], settings = smallSettings): SearchIndex {
  const index = SearchIndex.create(settings);
  index.apply({ version: 1, puts: documents, deletes: [] });
  return index;
}

/** An index of titles; the ids are `0`, `1`, … */
export function titles(...texts: string[]): SearchIndex {
  return indexOf(texts.map((title, i) => document(String(i), { title })));
}

export function idsFound(index: SearchIndex, query: Partial<SearchQuery>): string[] {
  return index.search(searchFor({ limit: 250, ...query })).hits.map((hit) => hit.id);
}

/** The bytes of each piece of a section. */
export const writtenBy = (writer: SectionWriter): Uint8Array[] =>
  writer.finish().map((piece) => runSteps(piece.copy()));

/** Of a section that has arrived. */
export function readerOf(pieces: readonly Uint8Array[]): SectionReader {
  const bytes = new ByteStream();
  for (const piece of pieces) bytes.add(piece);
  return new SectionReader(
    bytes,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
}

export const snapshotOf = (index: SearchIndex): Snapshot => runSteps(encodeSnapshot(index));

/** The index again, or why it is refused. */
export const fromSnapshot = (snapshot: Snapshot, settings: IndexSettings) =>
  runSteps(decodeWhole(snapshot, settings));
