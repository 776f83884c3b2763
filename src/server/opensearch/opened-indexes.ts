import type { RecordStore } from '#server/db/client.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { Log } from '#server/log.ts';
import type { Cluster } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import {
  dropGenerations,
  dropOlder,
  type GenerationParts,
  generationIn,
  makeGeneration,
  openGeneration,
} from './generations.ts';
import { IndexBeingMade, unlessBeingMade } from './index-being-made.ts';
import {
  type IndexStanding,
  isCurrent,
  noteLost,
  readName,
  readStanding,
  usabilityOf,
} from './index-states.ts';
import type { OpenedIndex } from './opened-index.ts';
import { Renewals } from './renewals.ts';
import { replaceGeneration } from './replace-generation.ts';

interface OpenedIndexesParts {
  cluster: Cluster;
  record: Pick<RecordStore, 'sql' | 'servers'>;
  log: Log;
  onMade: ((documents: number) => void) | undefined;
  patienceMs: number;
  /** So many documents are read anew while searches wait for it; of more they go on meanwhile by the rules before. */
  waitedForMax: number;
  /** Runs a task in a collection's turn. */
  inTurn: <T>(collectionId: number, task: () => Promise<T>) => Promise<T>;
}

interface Opening {
  /** Asked within the collection's turn. */
  isInTurn?: boolean;
  /** As it was just read. */
  standing?: IndexStanding;
  /** Whatever its texts were read by. */
  isAsItIs?: boolean;
}

/** No question to the cluster takes longer. */
const leaveMs = 60_000;

/** The indexes that this server has opened, as the record says they are: whichever server makes a further generation, all go on with it. */
export class OpenedIndexes {
  readonly #parts: OpenedIndexesParts;
  readonly #opened = new Map<number, OpenedIndex>();
  readonly #leaving = new Set<NodeJS.Timeout>();
  readonly #ending = new AbortController();
  readonly #copying = new Set<Promise<unknown>>();
  readonly #renewals: Renewals;

  constructor(parts: OpenedIndexesParts) {
    this.#parts = parts;
    const renew = (collection: CollectionHandle) => this.#renew(collection);
    this.#renewals = new Renewals({ log: parts.log, renew, ending: this.#ending.signal });
  }

  get size(): number {
    return this.#opened.size;
  }

  /** The collection's index, which is made where there is none or it was not finished, and made anew where its texts were read by other rules. */
  async of(collection: CollectionHandle, opening: Opening = {}): Promise<OpenedIndex> {
    const { record, cluster, inTurn } = this.#parts;
    const { isInTurn = false, isAsItIs = isInTurn } = opening;
    const standing = opening.standing ?? (await readStanding(record.sql, collection.id));
    const usability = usabilityOf(standing);
    if (usability === 'outdated' || usability === 'later') {
      // By a later release it stays: its servers are about to take the place of this one.
      const isWaitedFor = this.#isWaitedFor(standing);
      const renewal = usability === 'outdated' ? this.#renewals.begin(collection, { isUrgent: true }) : null;
      if (isAsItIs || renewal === null || !isWaitedFor) throw new IndexBeingMade();
      await renewal;
      return await this.of(collection, { isAsItIs: true });
    }
    if (!isAsItIs && usability === 'searchable' && !isCurrent(standing)) {
      const isWaitedFor = this.#isWaitedFor(standing);
      const renewal = this.#renewals.begin(collection, { isUrgent: isWaitedFor });
      if (isWaitedFor) {
        await renewal;
        return await this.of(collection, { isAsItIs: true });
      }
    }
    const known = this.#opened.get(collection.id);
    if (known !== undefined && known.generation === standing.generation && usability === 'searchable')
      return known;
    const openThis = async () => {
      const now = await readStanding(record.sql, collection.id);
      const found = usabilityOf(now);
      if (found === 'absent') return null;
      // Another server has made it meanwhile, or its collection has become another.
      if (found !== 'searchable') throw new IndexBeingMade();
      return await openGeneration(cluster, now);
    };
    const open = async () => {
      const opened = (await openThis()) ?? (await this.#make(collection, openThis));
      this.#opened.set(collection.id, opened);
      return opened;
    };
    return isInTurn ? await open() : await inTurn(collection.id, open);
  }

  /** Whatever is there. What can be searched is searched and written to until the new one has all of it. */
  async makeAnew(collection: CollectionHandle): Promise<void> {
    const { id } = collection;
    const make = () => this.#parts.inTurn(id, () => this.#make(collection, async () => null));
    const isReplaced = await this.#replace(collection, (standing) => usabilityOf(standing) !== 'absent');
    if (!isReplaced) this.#opened.set(id, await make());
  }

  /** Another server may have done it by now. */
  async #renew(collection: CollectionHandle): Promise<void> {
    await this.#replace(collection, (standing) => {
      const usability = usabilityOf(standing);
      return usability === 'outdated' || (usability === 'searchable' && !isCurrent(standing));
    });
  }

  #isWaitedFor({ documentCount }: IndexStanding): boolean {
    return documentCount <= this.#parts.waitedForMax;
  }

  /** False: it is not as it is wanted by now, or another generation was begun meanwhile. */
  async #replace(
    collection: CollectionHandle,
    isWanted: (standing: IndexStanding) => boolean,
  ): Promise<boolean> {
    const { record, inTurn } = this.#parts;
    const { id } = collection;
    const replaced = await record.servers.alone(`repair ${id}`, async () => {
      const standing = await readStanding(record.sql, id);
      if (!isWanted(standing)) return null;
      const last = <T>(task: () => Promise<T>) => inTurn(id, () => record.servers.alone(`index ${id}`, task));
      const copying = replaceGeneration({ ...this.#making(), inTurn: last }, collection, standing);
      this.#copying.add(copying);
      return await copying.finally(() => this.#copying.delete(copying));
    });
    if (replaced === null) return false;
    this.#opened.set(id, replaced);
    this.#dropLater(replaced);
    return true;
  }

  #making(): GenerationParts {
    const { cluster, record, log, onMade, patienceMs } = this.#parts;
    return { cluster, sql: record.sql, log, onMade, patienceMs, ending: this.#ending.signal };
  }

  async stop(): Promise<void> {
    for (const timer of this.#leaving) clearTimeout(timer);
    this.#ending.abort();
    await Promise.allSettled(this.#copying);
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
      await this.#forgetLost(collectionId, error);
      return await task();
    }
  }

  /**
   * Writes to an index that is open; where it was taken away in the cluster, once more to the one that is made in its place, which another server may have made without
   * these versions. Not in the collection's turn. @throws as `write`, and what keeps it from being made
   */
  async writeTo(
    collection: CollectionHandle,
    opened: OpenedIndex,
    write: (opened: OpenedIndex) => Promise<void>,
  ): Promise<void> {
    try {
      await write(opened);
    } catch (error) {
      await this.#forgetLost(collection.id, error);
      const made = await this.of(collection, { isAsItIs: true }).catch(unlessBeingMade);
      if (made !== null) await write(made);
    }
  }

  /** The next one who wants the index makes it. @throws an error that is about something else */
  async #forgetLost(collectionId: number, error: unknown): Promise<void> {
    if (!(error instanceof ClusterError) || error.missingIndex === null) throw error;
    const { missingIndex } = error;
    // One that was asked for long may be gone, as another has taken its place.
    if (this.#opened.get(collectionId)?.index === missingIndex) this.#opened.delete(collectionId);
    await noteLost(this.#parts.record.sql, collectionId, generationIn(missingIndex));
  }

  /** One server at a time; `find` tells what another one has made meanwhile. */
  #make(collection: CollectionHandle, find: () => Promise<OpenedIndex | null>): Promise<OpenedIndex> {
    const { record } = this.#parts;
    return record.servers.alone(`index ${collection.id}`, async () => {
      const found = await find();
      if (found !== null) return found;
      const standing = await readStanding(record.sql, collection.id);
      return await makeGeneration(this.#making(), collection, standing);
    });
  }
}
