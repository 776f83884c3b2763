import type { IndexStats } from '#server/engine/types.ts';
import type { Verified } from '#shared/collections.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { ChangeOptions, ChangeTask } from './change.ts';
import type { IndexesLoad, IndexLook } from './index-look.ts';

/**
 * Where the state of collections' indexes is kept and asked: the seam between what is ours whatever the engine is (checks, ingest, rules,
 * understanding, answers) and the engine. The record is right: whatever is lost here is made anew from it.
 */
export abstract class CollectionIndexes {
  /** Asks an index that has every answered write. @throws AppError, the signal's reason */
  async read<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    return (await this.readVersion(collection, request, signal)).reply;
  }
  /** The same, and a version that it has whole: it may have some of later ones, which nobody was answered when it was asked. */
  abstract readVersion<Name extends ReadCall>(
    collection: CollectionHandle,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<{ reply: EngineReply<Name>; version: number }>;
  /**
   * Runs a change in the collection's turn, if that comes in time, and waits until the next search sees its versions. The task asks the index,
   * if at all, before its first statement, since it may be run again.
   */
  abstract change<T>(collection: CollectionHandle, options: ChangeOptions, task: ChangeTask<T>): Promise<T>;
  /** Makes an index anew from the record, whatever is there. */
  abstract repair(collection: CollectionHandle): Promise<IndexStats>;
  /** Compares an index with the record in a way of its own; absent: documents are compared one by one. @throws AppError, the signal's reason */
  verify?(collection: CollectionHandle, signal?: AbortSignal): Promise<Verified>;
  /** Forgets an index and what is kept of it. */
  abstract drop(collectionId: number): Promise<void>;
  /** The record may hold what did not come through here, of one collection or of any. */
  abstract doubt(collectionId?: number): void;
  /** Whether what keeps the indexes answers, asked just now; absent: this process keeps them. @throws AppError UNAVAILABLE */
  assertThere?(): Promise<void>;
  abstract stats(): IndexesLoad;
  /** What is known of an index without asking it; null: nothing is. */
  abstract look(collectionId: number): IndexLook | null;
  /** What is due; called on a timer. */
  abstract tick(): void;
  /** Lets everything queued end. */
  abstract stop(): Promise<void>;
}
