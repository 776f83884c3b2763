import type { FieldNameError, TooDearError } from '#server/engine/search-index.ts';
import type { Diagnostic, SearchPart } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from './engine-calls.ts';

/** What a thread and its host share, as the thread is given it. */
export interface SharedMemory {
  /** Of `Preemption`. */
  preemption: SharedArrayBuffer;
  /** Of `UpkeepMark`. */
  upkeep: SharedArrayBuffer;
}

export interface CallRequest {
  id: number;
  collectionId: number;
  request: EngineRequest;
}
/** Each but the last kind is a turn, which is answered when its slice is over. */
export type ThreadRequest = CallRequest | { id: number; goesOn: true } | { id: number; isCancelled: true };

export type ThreadAnswer = {
  id: number;
  /** Milliseconds for which the thread was taken. */
  tookMs: number;
  /** Of these, on a processor: the others are the machine's, which had none for it. */
  computedMs: number;
} & Outcome;

/** Its first message says that it has started, however long that took. */
export type ThreadMessage = { isReady: true } | ThreadAnswer;

export type Outcome =
  | { value: EngineReply }
  | { pausedAt: SearchPart | null }
  /** Another call of its collection has to end before. */
  | { waits: true }
  | { lost: true }
  | { faults: Diagnostic[]; isOfRule: boolean }
  | { unknownName: Pick<FieldNameError, 'part' | 'fault'> }
  | { tooLargeBytes: number }
  | { tooDear: TooDearError['part'] }
  | { error: { message: string; stack: string | undefined } };
