import { AppError } from '#server/errors.ts';
import { within } from '#server/within.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { AskedIndex } from './asked-index.ts';
import type { ChangeOptions, ChangeTask } from './change.ts';
import { CollectionIndexes } from './collection-indexes.ts';
import { EngineAway } from './engine-away.ts';
import { IndexTooLargeError } from './memory-errors.ts';

interface StandInParts {
  /** What keeps the indexes. */
  engine: CollectionIndexes;
  /** The engine of this process, with what the record has; made when it is needed first. */
  ofRecord: () => CollectionIndexes;
  now: () => number;
  /** How long a question waits for an index that is made from the record. */
  waitMs?: number;
}

/** What is asked by searches and lists. What reads on without end, and what is compared with the record, waits for the engine. */
const answeredAway: ReadonlySet<ReadCall> = new Set<ReadCall>([
  ...(['search', 'list', 'check', 'fields', 'stats', 'standing'] as const),
  ...(['tellWords', 'tellSides', 'rankShared', 'firstVectors', 'hitsOfPicked'] as const),
]);

/** While the engine takes writes: what they are told by a filter too. */
const answeredBeingMade: ReadonlySet<ReadCall> = new Set<ReadCall>([...answeredAway, 'ids']);

/** The engine of this process, or another one for which it stands in. */
export function withStandIn(
  engine: CollectionIndexes | undefined,
  ofRecord: (given: { savesSnapshots: boolean }) => CollectionIndexes,
  now: () => number,
): CollectionIndexes {
  if (engine === undefined) return ofRecord({ savesSnapshots: true });
  // Deletions of the record are what the engine has yet to be told of.
  return new StandInIndexes({ engine, ofRecord: () => ofRecord({ savesSnapshots: false }), now });
}

/** An index that nobody has asked for so long leaves. */
const idleMs = 300_000;

/**
 * While what keeps the indexes is away, searches are answered here: from an index of the record, in the memory for indexes, which is compared with the record before
 * each answer, so that what was written is found. The answer tells of it. Where an index has no room, or is not made in time, the caller is told that the engine is away; changes always are.
 */
class StandInIndexes extends CollectionIndexes {
  readonly #parts: StandInParts;
  #ofRecord: CollectionIndexes | null = null;
  /** When a collection's index was asked last. */
  readonly #asked = new Map<number, number>();
  override readonly verify?: NonNullable<CollectionIndexes['verify']>;

  constructor(parts: StandInParts) {
    super();
    this.#parts = parts;
    const { engine } = parts;
    if (engine.verify) this.verify = engine.verify.bind(engine);
  }

  async readVersion<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    try {
      return await this.#parts.engine.readVersion(collection, request, signal);
    } catch (error) {
      if (!isAnswered(request, error)) throw error;
      return await this.#readRecord(collection, request, { signal, away: error });
    }
  }

  change<T>(collection: CollectionHandle, options: ChangeOptions, task: ChangeTask<T>): Promise<T> {
    return this.#parts.engine.change(collection, options, (index) =>
      task(index && this.#askedIndex(collection, index)),
    );
  }

  /** A change in its turn asks as anybody does, while the engine takes it. */
  #askedIndex(collection: CollectionHandle, index: AskedIndex): AskedIndex {
    const orRecord = async <Name extends ReadCall>(
      asking: Promise<EngineReply<Name>>,
      request: EngineRequest<Name>,
      signal?: AbortSignal,
    ): Promise<EngineReply<Name>> => {
      try {
        return await asking;
      } catch (error) {
        if (!isAnswered(request, error) || !error.isBeingMade) throw error;
        return (await this.#readRecord(collection, request, { signal, away: error })).reply;
      }
    };
    return {
      get stats() {
        return index.stats;
      },
      read: (requester, request, signal) => orRecord(index.read(requester, request, signal), request, signal),
      readAfterWrites: (requester, request) => orRecord(index.readAfterWrites(requester, request), request),
    };
  }

  repair(collection: CollectionHandle) {
    return this.#parts.engine.repair(collection);
  }

  async drop(collectionId: number): Promise<void> {
    await this.#leave(collectionId);
    await this.#parts.engine.drop(collectionId);
  }

  doubt(collectionId?: number): void {
    this.#parts.engine.doubt(collectionId);
  }

  override async assertThere(): Promise<void> {
    await this.#parts.engine.assertThere?.();
  }

  stats() {
    const memoryBytes = this.#ofRecord?.stats().memoryBytes ?? 0;
    return { ...this.#parts.engine.stats(), memoryBytes };
  }

  look(collectionId: number) {
    return this.#parts.engine.look(collectionId);
  }

  tick(): void {
    this.#parts.engine.tick();
    if (this.#asked.size === 0) return;
    this.#ofRecord?.tick();
    const since = this.#parts.now() - idleMs;
    for (const [id, askedAt] of this.#asked) if (askedAt < since) void this.#leave(id);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#asked.keys()].map((id) => this.#leave(id)));
    await this.#ofRecord?.stop();
    await this.#parts.engine.stop();
  }

  /** @throws `away` where it cannot be answered from here, or not yet; what is wrong with the question */
  async #readRecord<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    { signal, away }: { signal: AbortSignal | undefined; away: EngineAway },
  ): Promise<{ reply: EngineReply<Name>; version: number }> {
    const { ofRecord, now, waitMs = 2_000 } = this.#parts;
    this.#ofRecord ??= ofRecord();
    this.#asked.set(collection.id, now());
    try {
      // Whatever was written through any server.
      this.#ofRecord.doubt(collection.id);
      // Who gives up waiting leaves it to be made for those who come later.
      await within(this.#ofRecord.read(collection, { call: 'stats' }), waitMs, () => away);
      const answer = await this.#ofRecord.readVersion(collection, request, signal);
      return { ...answer, reply: marked(answer.reply, away) };
    } catch (error) {
      signal?.throwIfAborted();
      throw isOfQuestion(error) ? error : away;
    }
  }

  async #leave(collectionId: number): Promise<void> {
    if (this.#asked.delete(collectionId)) await this.#ofRecord?.drop(collectionId);
  }
}

/** A walk goes on by places in another index's order. */
function goesOn(request: EngineRequest<ReadCall>): boolean {
  return 'query' in request && request.query.walk?.from != null;
}

function isAnswered(request: EngineRequest<ReadCall>, error: unknown): error is EngineAway {
  if (!(error instanceof EngineAway) || goesOn(request)) return false;
  return (error.isBeingMade ? answeredBeingMade : answeredAway).has(request.call);
}

function marked<Reply>(reply: Reply, { isBeingMade }: EngineAway): Reply {
  return typeof reply === 'object' && reply !== null && 'times' in reply
    ? { ...reply, isFromRecord: isBeingMade ? 'being made' : 'away' }
    : reply;
}

/** Nothing that another time would change. */
function isOfQuestion(error: unknown): boolean {
  return error instanceof AppError && error.status < 500 && !(error.cause instanceof IndexTooLargeError);
}
