import type { Sql } from 'postgres';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { readFirstVectors } from '#server/indexes/registry/rows.ts';
import type { Cluster } from './cluster.ts';
import type { IndexStanding } from './index-states.ts';
import { meanLengthIn } from './mean-length.ts';
import { namedSearchOf, type Preference, searchesOf } from './multi-search.ts';
import type { AskedVersion, OpenedIndex } from './opened-index.ts';

interface Found {
  opened: OpenedIndex;
  /** It has this version whole. */
  version: number;
  standing: Pick<IndexStanding, 'documentCount' | 'constants'>;
  /** Which copies have it. */
  preference: Preference;
  signal: AbortSignal | undefined;
  bytesMax: number | undefined;
}

/** How one question asks an index that has all that was answered. `sql`: for this tenant. */
export function askedVersion(
  { cluster, sql }: { cluster: Cluster; sql: Sql },
  collection: CollectionHandle,
  { opened, version, standing, preference, signal, bytesMax }: Found,
): AskedVersion {
  const { index } = opened;
  const where = { index, preference, requester: collection.for };
  return {
    collection,
    opened,
    version,
    documentCount: standing.documentCount,
    wanted: standing.constants,
    signal,
    firstVectors: (ids) => readFirstVectors(sql, collection, ids),
    ask: searchesOf(cluster, { ...where, signal, bytesMax }),
    askForAll: searchesOf(cluster, { ...where, signal: undefined }),
    askNamed: namedSearchOf(cluster, { ...where, signal }),
    meanLength: meanLengthIn(cluster, index, signal),
  };
}
