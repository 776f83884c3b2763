import type { Requester } from '#server/admission/requester.ts';
import type { IndexStats } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest, ReadCall } from '../host/engine-calls.ts';

/** A collection's index as a change in the collection's turn may ask it. */
export interface AskedIndex {
  readonly stats: IndexStats;
  read<Name extends ReadCall>(
    requester: Requester,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>>;
  /** What all changes handed over so far have left. */
  readAfterWrites<Name extends ReadCall>(
    requester: Requester,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>>;
}
