import type { Requester } from '#server/admission/requester.ts';
import type { CallName, EngineReply, EngineRequest } from './engine-calls.ts';

/** Which index is asked, and for whom: callers take turns at a thread by what they have used. */
export interface AskedCollection {
  id: number;
  for: Requester;
}

/**
 * Where indexes live: the main thread (tests) or worker threads that each own some of the collections. All of `indexes/` speaks
 * to the engine through this interface, so that HTTP never waits for it. Opening, applying, snapshots and closing act in the order in
 * which they were made for a collection; a read may pass them, and one that must not waits for them first.
 * What a request carries in array buffers (a batch) is handed over and must not be used afterwards; shared memory (of a snapshot) may be used again after
 * the answer.
 */
export interface EngineHost {
  /**
   * Without a caller to go, `signal` also stands for the request: its reads compute on one budget.
   * @throws IndexLostError, ThreadEndedError, QuarantinedError, FilterFaultError, AnswerTooLargeError, SearchTimeoutError,
   * EngineBusyError, the signal's reason, whatever the engine throws
   */
  call<Name extends CallName>(
    collection: AskedCollection,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>>;
  /** Calls that wait for a turn at a thread. */
  waiting(): number;
  /** A collection that has ended its thread may be used again. */
  release(collectionId: number): void;
  stop(): Promise<void>;
}
