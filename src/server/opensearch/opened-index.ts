import type { FieldType } from '#server/engine/types.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { type DrawnDocuments, drawDocuments } from './drawn-documents.ts';
import type { FixedConstants } from './fixed-constants.ts';
import type { KnownFields } from './known-fields.ts';
import type { MadeBy } from './made-by.ts';
import type { MeanLength } from './mean-length.ts';
import type { AskNamed, AskSearches } from './multi-search.ts';
import { everything } from './query.ts';
import { type KindCounts, Shape } from './shape.ts';

/** What of an open index does not change while it is this generation's. */
export interface OpenedIndex extends MadeBy {
  /** Of all generations. */
  name: string;
  generation: number;
  /** By which the cluster is asked: the record alone says which generation is searched. */
  index: string;
  declared: { name: string; type: FieldType }[];
  known: KnownFields;
  /** Which fields there are, and of which version that was told; null: nobody has asked. */
  shape: { version: number; shape: Promise<Shape> } | null;
  /** Documents that were drawn, and at which version; null: none were. */
  drawn: { version: number; drawn: Promise<DrawnDocuments> } | null;
}

/** An index as one question finds it. */
export interface AskedVersion {
  collection: CollectionHandle;
  opened: OpenedIndex;
  /** It has this version whole. */
  version: number;
  documentCount: number;
  /** Of the collection's settings; the index may have been made with others. */
  wanted: FixedConstants;
  /** By id, of documents that have one; of the record. */
  firstVectors: (ids: string[]) => Promise<Map<string, Float32Array>>;
  ask: AskSearches;
  askNamed: AskNamed;
  meanLength: MeanLength;
}

/** A field has up to six entries. */
const kindsMax = 10_000;

/** Counted once a version. */
export function shapeOf({
  opened,
  version,
  ask,
}: Pick<AskedVersion, 'opened' | 'version' | 'ask'>): Promise<Shape> {
  if (opened.shape?.version === version) return opened.shape.shape;
  const shape = readShape(opened, ask);
  opened.shape = { version, shape };
  shape.catch(() => {
    if (opened.shape?.shape === shape) opened.shape = null;
  });
  return shape;
}

/** Drawn anew when the collection has become another: an eighth more versions. */
export function drawnOf({
  opened,
  version,
  ask,
}: Pick<AskedVersion, 'opened' | 'version' | 'ask'>): Promise<DrawnDocuments> {
  const known = opened.drawn;
  if (known !== null && version - known.version <= known.version / 8) return known.drawn;
  const drawn = drawDocuments(ask);
  opened.drawn = { version, drawn };
  drawn.catch(() => {
    if (opened.drawn?.drawn === drawn) opened.drawn = null;
  });
  return drawn;
}

async function readShape({ declared, analyzer }: OpenedIndex, ask: AskSearches): Promise<Shape> {
  const kinds = { terms: { field: 'kinds', size: kindsMax } };
  const [reply] = await ask([{ size: 0, query: everything, aggs: { kinds } }]);
  const { buckets = [] } = (reply?.aggregations?.['kinds'] ?? {}) as { buckets?: KindCounts };
  return new Shape(buckets, { declared, analyzer });
}
