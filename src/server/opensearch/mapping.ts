import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { FixedConstants } from './fixed-constants.ts';

/**
 * What an index is made with: settings and mapping. Texts come as words and terms that our analyzer has made, with blanks between, so that words and
 * stems are those of the embedded engine in every language. No source is kept: documents are answered from the record.
 */

/** Between the words of two texts of a field: words that are farther apart stand in several texts. */
export const textGap = 100_000;
/** Positions must stay below 2^31. */
export const textsMax = 20_000;
/** Of a text that is compared as a whole; a keyword has 32,766 bytes at most. */
export const wholeUnitsMax = 8_000;

/** What `is` says of each document: passages, which are documents of their own beside it, have no such field. */
export const wholeDocument = 'document';

/** Up to 1,000 fields of a collection, each in up to eight slots, some more where it has values of several types. */
const mappedFieldsMax = 10_000;

const spaces = { cosine: 'cosinesimil', euclidean: 'l2', dotproduct: 'innerproduct' } as const;

export function spaceOf({ metric }: Pick<CollectionHandle, 'metric'>): string {
  return spaces[metric];
}

export function indexSettings({ k1, b }: Pick<FixedConstants, 'k1' | 'b'>) {
  return {
    'index.knn': true,
    'index.number_of_shards': 1,
    'index.auto_expand_replicas': '0-1',
    // A search refreshes when something was written.
    'index.refresh_interval': '-1',
    // A node that comes back writes again what is in the log, vectors into graphs too, which takes it minutes where that is half a gigabyte.
    'index.translog.flush_threshold_size': '128mb',
    // An older write that comes late does not bring a deleted document back.
    'index.gc_deletes': '1h',
    'index.mapping.total_fields.limit': mappedFieldsMax,
    'index.similarity.ours': { type: 'BM25', k1, b },
  };
}

export function indexMapping(collection: Pick<CollectionHandle, 'dimension' | 'metric'>) {
  const words = { type: 'text', analyzer: 'whitespace', norms: false };
  const terms = { type: 'text', analyzer: 'whitespace', similarity: 'ours' };
  const content = { ...terms, index_options: 'freqs' };
  const slots = {
    s: { type: 'keyword', index: false },
    k: { type: 'keyword' },
    z: { type: 'keyword', index: false },
    n: { type: 'double' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    g: { type: 'geo_point' },
    o: { type: 'keyword', doc_values: false },
    v: { type: 'keyword', doc_values: false },
    w: { ...words, position_increment_gap: textGap },
    y: { ...words, position_increment_gap: textGap },
    t: terms,
    c: content,
  };
  const object = { type: 'object', dynamic: 'true' };
  return {
    dynamic: 'strict',
    date_detection: false,
    _source: { enabled: false },
    dynamic_templates: Object.entries(slots).map(([slot, mapping]) => ({
      [slot]: { path_match: `${slot}.*`, mapping },
    })),
    properties: {
      id: { type: 'keyword' },
      // Passages have it not.
      is: { type: 'keyword', doc_values: false },
      // Which fields a document has, and of which types; where a field has several texts.
      has: { type: 'keyword', doc_values: false },
      kinds: { type: 'keyword' },
      many: { type: 'keyword', doc_values: false },
      words: { ...words, index_options: 'docs' },
      terms,
      content,
      passages: { type: 'nested', properties: { v: vectorField(collection) } },
      ...Object.fromEntries(Object.keys(slots).map((slot) => [slot, object])),
    },
  };
}

/** The engine is named: without it the cluster takes one of which a node may lack the library, and ends with it. */
function vectorField(collection: Pick<CollectionHandle, 'dimension' | 'metric'>) {
  const parameters = { m: 16, ef_construction: 128 };
  const method = { name: 'hnsw', engine: 'lucene', space_type: spaceOf(collection), parameters };
  return { type: 'knn_vector', dimension: collection.dimension, method };
}
