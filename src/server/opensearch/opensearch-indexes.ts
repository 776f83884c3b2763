import { loopTurns } from '#server/admission/loop-turns.ts';
import { partsOf } from '#server/admission/request-parts.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { RecordStore } from '#server/db/client.ts';
import type { IndexStats } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest, ReadCall } from '#server/indexes/host/engine-calls.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import type { AskedIndex } from '#server/indexes/registry/asked-index.ts';
import { notSearchable, toCallerError } from '#server/indexes/registry/caller-errors.ts';
import type { ChangeOptions, ChangeTask } from '#server/indexes/registry/change.ts';
import { CollectionIndexes } from '#server/indexes/registry/collection-indexes.ts';
import type { IndexesLoad, IndexLook } from '#server/indexes/registry/index-look.ts';
import { runInTime } from '#server/indexes/registry/run-in-time.ts';
import { SerialQueue } from '#server/indexes/registry/serial-queue.ts';
import type { Log } from '#server/log.ts';
import type { Verified } from '#shared/collections.ts';
import { Applier } from './applier.ts';
import { askedVersion } from './asked-version.ts';
import type { Cluster } from './cluster.ts';
import { documentsOf, isOfDocuments, readCluster } from './cluster-reads.ts';
import { DeletionPruner } from './deletion-pruner.ts';
import { unlessBeingMade } from './index-being-made.ts';
import { IndexBlocks } from './index-blocks.ts';
import { readStanding } from './index-states.ts';
import type { AskedVersion, OpenedIndex } from './opened-index.ts';
import { OpenedIndexes } from './opened-indexes.ts';
import { OutboxWorker } from './outbox-worker.ts';
import { Refreshes } from './refreshes.ts';
import { answerBytesMax } from './search-lines.ts';
import { verifyCluster } from './verify-cluster.ts';
import type { VersionedBatch } from './write-documents.ts';

export interface OpenSearchIndexesParts {
  cluster: Cluster;
  record: Pick<RecordStore, 'as' | 'sql' | 'servers' | 'assertWritable'>;
  log: Log;
  /** Told after a change of a collection's documents was committed. */
  onChanged: (collectionId: number) => void;
  /** How long a request waits for what else is done to its collection. */
  turnWaitMs?: number;
  /** Told of documents that have come into an index that is being made. */
  onMade?: (documents: number) => void;
  /** How long a cluster that is away is waited for while an index is filled. */
  patienceMs?: number;
  /** Up to how many documents of a collection are read anew while searches wait for it. */
  waitedForMax?: number;
  /** Milliseconds that only grow. */
  now?: () => number;
}

interface Asking {
  signal: AbortSignal | undefined;
  /** Asked within the collection's turn: an index that must be made is made in it. */
  isInTurn: boolean;
  bytesMax?: number | undefined;
}

/**
 * Indexes that a search cluster keeps. The record is right: versions are noted in the transaction that writes them, and brought to the cluster by the request
 * that wrote them, by a search that finds them noted, or by a worker. A search refreshes first where something was written since the last one.
 */
export class OpenSearchIndexes extends CollectionIndexes {
  readonly #parts: OpenSearchIndexesParts;
  readonly #turns = new SerialQueue<number>();
  readonly #applier: Applier;
  readonly #worker: OutboxWorker;
  readonly #opened: OpenedIndexes;
  readonly #blocks: IndexBlocks;
  readonly #refreshes: Refreshes;

  constructor(parts: OpenSearchIndexesParts) {
    super();
    this.#parts = parts;
    const { cluster, record, log, onMade, patienceMs = 10_000, waitedForMax = 1_000 } = parts;
    const { now = () => performance.now() } = parts;
    const { sql } = record;
    this.#opened = new OpenedIndexes({
      ...{ cluster, record, log, onMade, patienceMs, waitedForMax },
      inTurn: (id, task) => this.#inTurn(id, task),
    });
    this.#blocks = new IndexBlocks(cluster);
    this.#refreshes = new Refreshes({ cluster, sql });
    this.#applier = new Applier({ cluster, sql, log });
    const pruner = new DeletionPruner({ record, log, now });
    this.#worker = new OutboxWorker({
      sql,
      log,
      apply: (collection, versions) =>
        this.#opened.unlessLost(collection.id, async () => {
          const opened = await this.#opened.of(collection);
          await this.#applier.applyVersions(collection, opened, versions);
        }),
      prune: () => pruner.look(),
    });
  }

  async readVersion<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    return await this.#readVersion(collection, request, { signal, isInTurn: false });
  }

  async #readVersion<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    asking: Asking,
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    try {
      return await partsOf(asking.signal).run(() =>
        this.#opened.unlessLost(collection.id, () => this.#ask(collection, request, asking)),
      );
    } catch (error) {
      throw toCallerError(error);
    }
  }

  async change<T>(collection: CollectionHandle, options: ChangeOptions, task: ChangeTask<T>): Promise<T> {
    const { onFailed, isOnlyIfOpen: _, ...may } = options;
    const { answer, applied, isChanged } = await this.#inTurn(collection.id, async () => {
      try {
        await this.#parts.record.assertWritable(may);
        // Nothing is written that could not be found.
        await this.#parts.cluster.assertThere();
        const open = async () => {
          const opened = await this.#opened.of(collection, { isInTurn: true });
          await this.#blocks.assertNone(opened.index);
          return opened;
        };
        const opened = await this.#opened.unlessLost(collection.id, open).catch(unlessBeingMade);
        const change = await task(this.#askedIndex(collection));
        // One that tells of nothing changed more than it can tell: its version stays noted, and whoever comes next brings it from the record.
        const batches = change.batches.filter(({ puts, deletes }) => puts.length + deletes.length > 0);
        // Begun within the turn; versions keep their order whatever comes first.
        const applied = opened && batches.length > 0 ? this.#apply(collection, opened, batches) : null;
        return { answer: change.answer, applied, isChanged: change.batches.length > 0 };
      } catch (thrown) {
        const error = toCallerError(thrown);
        onFailed?.(error);
        throw error;
      }
    });
    try {
      await applied;
    } finally {
      if (isChanged) this.#parts.onChanged(collection.id);
    }
    return answer;
  }

  async #apply(collection: CollectionHandle, opened: OpenedIndex, batches: VersionedBatch[]): Promise<void> {
    const write = (to: OpenedIndex) =>
      this.#applier.apply(collection, to, batches).catch((error: unknown) => {
        this.#blocks.note(to.index, error);
        throw error;
      });
    await this.#opened.writeTo(collection, opened, write).catch(notSearchable);
  }

  async repair(collection: CollectionHandle): Promise<IndexStats> {
    try {
      await this.#opened.makeAnew(collection);
      return await this.read(collection, { call: 'stats' });
    } catch (error) {
      throw toCallerError(error);
    }
  }

  override async verify(collection: CollectionHandle, signal?: AbortSignal): Promise<Verified> {
    const parts = {
      sql: this.#parts.record.as(collection.for.tenant).sql,
      current: (isInTurn: boolean) => this.#current(collection, { signal, isInTurn }),
      inTurn: <T>(task: () => Promise<T>) => this.#inTurn(collection.id, task),
    };
    const verify = () => verifyCluster(parts, signal);
    return await this.#opened.unlessLost(collection.id, verify).catch((error: unknown) => {
      throw toCallerError(error);
    });
  }

  drop(collectionId: number): Promise<void> {
    return this.#turns.run(collectionId, () => this.#opened.drop(collectionId));
  }

  doubt(): void {
    // Each question asks the record first.
  }

  override assertThere(): Promise<void> {
    return this.#parts.cluster.assertAnswers();
  }

  stats(): IndexesLoad {
    return { loaded: this.#opened.size, memoryBytes: 0, behind: this.#worker.lag };
  }

  look(): IndexLook | null {
    return null;
  }

  tick(): void {
    this.#worker.wake();
  }

  async stop(): Promise<void> {
    await this.#opened.stop();
    await this.#worker.stop();
    await this.#turns.idle();
    await this.#parts.cluster.close();
  }

  async #ask<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    { signal, isInTurn }: Asking,
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    const { sql } = this.#parts.record.as(collection.for.tenant);
    if (isOfDocuments(request)) {
      // Documents are the record's.
      const reply = (await documentsOf(sql, collection.id, request)) as EngineReply<Name>;
      return { reply, version: 0 };
    }
    // What walks through all documents goes on for as long as it takes.
    const bytesMax = 'query' in request ? answerBytesMax : undefined;
    const asked = await this.#current(collection, { signal, isInTurn, bytesMax });
    const parts = { asked, sql, unit: await this.#parts.cluster.scoreUnit(asked.opened.constants) };
    return { reply: await readCluster(parts, request), version: asked.version };
  }

  /** An index that has all that was answered, seen by searches. */
  async #current(collection: CollectionHandle, asking: Asking): Promise<AskedVersion> {
    const { signal, isInTurn, bytesMax } = asking;
    signal?.throwIfAborted();
    await this.#applier.settled(collection.id);
    // Where it is known to be away nobody waits for what else is on its way there.
    await this.#parts.cluster.assertThere();
    const { sql } = this.#parts.record;
    let standing = await readStanding(sql, collection.id);
    const { version } = standing;
    let opened = await this.#opened.of(collection, { isInTurn, standing });
    let seen = version;
    if (standing.pendingVersion !== null) {
      // Whoever wrote it may be about to bring it: only what is left then is brought from here.
      await this.#applier.settled(collection.id);
      standing = await readStanding(sql, collection.id);
      // Another server may have made a further one meanwhile, of which alone the record tells what was refreshed.
      if (standing.generation !== opened.generation)
        opened = await this.#opened.of(collection, { isInTurn, standing });
      const { pendingVersion } = standing;
      const current = opened;
      const bring = () => this.#applier.applyPending(collection, current, version);
      // What was written since it was asked is not waited for: beside an import that would have no end.
      const isPending = pendingVersion !== null && pendingVersion <= version;
      if (isPending && !(await this.#blocks.hasRoomFor(opened.index, bring))) seen = pendingVersion - 1;
    }
    const isOfStanding = standing.generation === opened.generation;
    const isSeen = isOfStanding && seen <= standing.refreshedVersion;
    const preference = isSeen ? undefined : await this.#refreshes.run(collection.id, opened, seen);
    // What the record answered to many at once is gone on with one by one.
    await loopTurns.next(collection.for);
    const { cluster, record } = this.#parts;
    const found = { opened, version: seen, standing, preference };
    return askedVersion({ cluster, sql: record.as(collection.for.tenant).sql }, collection, {
      ...found,
      signal,
      bytesMax,
    });
  }

  /** In the collection's turn. */
  #askedIndex(collection: CollectionHandle): AskedIndex {
    const read = async <Name extends ReadCall>(
      _: Requester,
      request: EngineRequest<Name>,
      signal?: AbortSignal,
    ) => (await this.#readVersion(collection, request, { signal, isInTurn: true })).reply;
    return {
      get stats(): IndexStats {
        throw new Error('the figures of an index in a cluster are not at hand');
      },
      read,
      readAfterWrites: read,
    };
  }

  #inTurn<T>(collectionId: number, task: () => Promise<T>): Promise<T> {
    const waitMs = this.#parts.turnWaitMs ?? 60_000;
    return runInTime(this.#turns, collectionId, { waitMs, signal: undefined }, task);
  }
}
