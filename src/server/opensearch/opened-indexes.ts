import type { RecordStore } from '#server/db/client.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { dropGenerations, dropOlder, makeGeneration, openGeneration } from './generations.ts';
import { type IndexStanding, isUsable, noteLost, readName, readStanding } from './index-states.ts';
import type { OpenedIndex } from './opened-index.ts';
import { replaceGeneration } from './replace-generation.ts';

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

/** No question to the cluster takes longer. */
const leaveMs = 60_000;

/** The indexes that this server has opened, as the record says they are: whichever server makes a further generation, all go on with it. */
export class OpenedIndexes {
  readonly #parts: OpenedIndexesParts;
  readonly #opened = new Map<number, OpenedIndex>();
  readonly #leaving = new Set<NodeJS.Timeout>();

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

  /** Whatever is there. What can be searched is searched and written to until the new one has all of it. */
  async makeAnew(collection: CollectionHandle): Promise<void> {
    const { record, cluster, log, onMade, inTurn } = this.#parts;
    const { id } = collection;
    const make = () => inTurn(id, () => this.#make(collection, async () => null));
    const replace = async () => {
      const standing = await readStanding(record.sql, id);
      if (!isUsable(standing)) return null;
      const last = <T>(task: () => Promise<T>) => inTurn(id, () => record.servers.alone(`index ${id}`, task));
      return await replaceGeneration(
        { cluster, sql: record.sql, log, onMade, inTurn: last },
        collection,
        standing,
      );
    };
    const replaced = await record.servers.alone(`repair ${id}`, replace);
    this.#opened.set(id, replaced ?? (await make()));
    if (replaced !== null) this.#dropLater(replaced);
  }

  stop(): void {
    for (const timer of this.#leaving) clearTimeout(timer);
  }

  /** Once nobody can be at the generation before. What is left where this server ends before, goes with the next one. */
  #dropLater({ name, generation }: OpenedIndex): void {
    const { cluster, log } = this.#parts;
    const timer = setTimeout(() => {
      this.#leaving.delete(timer);
      dropOlder(cluster, name, generation).catch((error: unknown) =>
        log.warn('an index that nobody searches any more could not be deleted', { name, error }),
      );
    }, leaveMs);
    this.#leaving.add(timer.unref());
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
