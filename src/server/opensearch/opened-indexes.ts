import type { RecordStore } from '#server/db/client.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { dropGenerations, makeGeneration, openGeneration } from './generations.ts';
import { type IndexStanding, isUsable, noteLost, readName, readStanding } from './index-states.ts';
import type { OpenedIndex } from './opened-index.ts';

interface OpenedIndexesParts {
  cluster: Cluster;
  record: Pick<RecordStore, 'sql' | 'servers'>;
  log: Log;
  onMade: ((documents: number) => void) | undefined;
  /** Runs a task in a collection's turn. */
  inTurn: <T>(collectionId: number, task: () => Promise<T>) => Promise<T>;
}

interface Opening {
  /** Asked within the collection's turn. */
  isInTurn?: boolean;
  /** As it was just read. */
  standing?: IndexStanding;
}

/** The indexes that this server has opened, as the record says they are: whichever server makes a further generation, all go on with it. */
export class OpenedIndexes {
  readonly #parts: OpenedIndexesParts;
  readonly #opened = new Map<number, OpenedIndex>();

  constructor(parts: OpenedIndexesParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#opened.size;
  }

  /** The collection's index, which is made where there is none, it was not finished, or its texts were read by other rules. */
  async of(collection: CollectionHandle, opening: Opening = {}): Promise<OpenedIndex> {
    const { record, cluster, inTurn } = this.#parts;
    const standing = opening.standing ?? (await readStanding(record.sql, collection.id));
    const known = this.#opened.get(collection.id);
    if (known !== undefined && known.generation === standing.generation && isUsable(standing)) return known;
    const openUsable = async () => {
      const now = await readStanding(record.sql, collection.id);
      return isUsable(now) ? await openGeneration(cluster, now) : null;
    };
    const open = async () => {
      const opened = (await openUsable()) ?? (await this.#make(collection, openUsable));
      this.#opened.set(collection.id, opened);
      return opened;
    };
    return opening.isInTurn ? await open() : await inTurn(collection.id, open);
  }

  /** In the collection's turn, whatever is there. */
  async makeAnew(collection: CollectionHandle): Promise<void> {
    this.#opened.set(collection.id, await this.#make(collection, async () => null));
  }

  /** In the collection's turn: all of it in the cluster. */
  async drop(collectionId: number): Promise<void> {
    const { cluster, record } = this.#parts;
    this.#opened.delete(collectionId);
    const name = await readName(record.sql, collectionId);
    if (name !== null) await dropGenerations(cluster, name);
  }

  /** Once more where the index was taken away in the cluster: it is made anew then. */
  async unlessLost<T>(collectionId: number, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== 404) throw error;
      const lost = this.#opened.get(collectionId);
      this.#opened.delete(collectionId);
      await noteLost(this.#parts.record.sql, collectionId, lost?.generation ?? null);
      return await task();
    }
  }

  /** One server at a time; `find` tells what another one has made meanwhile. */
  #make(collection: CollectionHandle, find: () => Promise<OpenedIndex | null>): Promise<OpenedIndex> {
    const { cluster, record, log, onMade } = this.#parts;
    return record.servers.alone(`index ${collection.id}`, async () => {
      const found = await find();
      if (found !== null) return found;
      const standing = await readStanding(record.sql, collection.id);
      return await makeGeneration({ cluster, sql: record.sql, log, onMade }, collection, standing);
    });
  }
}
