import type { ByteShares } from '#server/admission/byte-shares.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';
import type { EngineHost } from './host/engine-host.ts';
import type { CollectionIndexes } from './registry/collection-indexes.ts';
import type { Reranker } from './search/rerank/reranked-page.ts';
import type { MakesWay } from './upgrade/making-way.ts';
import type { ByteBudget } from './write/byte-budget.ts';

export interface IndexesOptions {
  record: RecordStore;
  embedder: Embedder;
  /** What makes the vectors of collections that are made from now on, where it fits; absent: the embedder does. */
  service?: EmbeddingService | null;
  /** Whether collections of other models are moved to it, or back; absent: they stay. */
  movesCollections?: boolean;
  settings: Pick<Settings, 'dataDir' | 'indexMemoryBytes' | 'answerBytesMax'>;
  log: Log;
  /** Where the engine runs; stopped with the indexes. */
  host: EngineHost;
  /** Another engine, told what to call after a change of a collection's documents was committed; absent: the one that runs in the host. */
  engineOf?: ((onChanged: (collectionId: number) => void) => CollectionIndexes) | undefined;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** The time of day, by which overrides begin and end. */
  clock?: () => Date;
  changesWithoutIdleMax?: number;
  /** How long a request waits for memory that others have. */
  memoryWaitMs?: number;
  /** How long a request waits for what else is done to its collection. */
  turnWaitMs?: number;
  /** What the copies of indexes that are being saved have together. */
  snapshotsBytesMax?: number;
  /** What a request may compute, here beside the host; absent: any time. */
  searchBudgetMs?: number;
  /** Documents of an export's page, or of a set that is changed by a filter; absent: as many as the limits say. */
  idsAtOnce?: number;
  importBudget?: ByteBudget;
  /** What dry runs remember. */
  dryRunMemory?: ByteShares;
  /** Told after a change of a collection's documents. */
  onChanged?: (collectionId: number) => void;
  /** That an import into the collection is further than it was, or over. */
  onImportProgress?: (collectionId: number) => void;
  /** What workspaces may have by their plans; absent: any number. */
  documentLimits?: string | null;
  /** What orders the best hits of searches that ask for it; absent: nothing does. */
  reranker?: Reranker | null;
  /** Whether the language of collections is read off their documents; absent: yes. */
  detectsLanguages?: boolean;
  /** How long after a change its documents are upgraded, and after a failure. */
  upgradeDelayMs?: number;
  upgradeRetryMs?: number;
  /** Between two passages that the transformer reads in the background; absent: nobody is made way for. */
  makesWay?: MakesWay;
  /** How long documents may take to be embedded by a model that is compared. */
  comparedEmbeddingMs?: number;
}
