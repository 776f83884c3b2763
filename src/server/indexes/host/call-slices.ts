import type { Steps } from '#server/engine/steps.ts';
import type { EngineCallHandler } from './engine-call-handler.ts';
import type { EngineReply } from './engine-calls.ts';
import { PartClock } from './part-clock.ts';
import { Preemption } from './preemption.ts';
import type { CallRequest, Outcome, ThreadRequest } from './thread-messages.ts';

/** After so long a call pauses at its next step. */
const sliceMs = 8;
/**
 * And after so long when another call wants its turn: what a turn costs beside its steps is a small part of that. Most calls are over within
 * the first: cut in two, they and the other would both take longer.
 */
const preemptedMs = { first: 2, further: 1 };

interface StartedCall extends CallRequest {
  steps: Steps<EngineReply> | null;
  progress: PartClock;
}

/** The calls that a thread has begun, slice by slice. Those of one collection are run to their end one after the other. */
export class CallSlices {
  readonly #handler: Pick<EngineCallHandler, 'start'>;
  readonly #preemption: Preemption;
  readonly #calls = new Map<number, StartedCall>();
  /** By collection, in the order in which they came; the first is the one that may run. */
  readonly #byCollection = new Map<number, number[]>();

  constructor(handler: Pick<EngineCallHandler, 'start'>, preemption = new Preemption()) {
    this.#handler = handler;
    this.#preemption = preemption;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** Null: nothing is to be said. @throws whatever the call throws; it is over then */
  take(message: ThreadRequest): Outcome | null {
    if ('isCancelled' in message) {
      this.#calls.get(message.id)?.steps?.return(undefined as never);
      this.#end(message.id);
      return null;
    }
    const call = 'request' in message ? this.#add(message) : this.#calls.get(message.id);
    this.#preemption.end(message.id);
    if (call === undefined) return null;
    if (this.#byCollection.get(call.collectionId)?.[0] !== call.id) return { waits: true };
    return this.#run(call);
  }

  #add(message: CallRequest): StartedCall {
    const call = { ...message, steps: null, progress: new PartClock() };
    this.#calls.set(call.id, call);
    const before = this.#byCollection.get(call.collectionId);
    if (before) before.push(call.id);
    else this.#byCollection.set(call.collectionId, [call.id]);
    return call;
  }

  #run(call: StartedCall): Outcome {
    const since = performance.now();
    const preemptedAfterMs = call.steps === null ? preemptedMs.first : preemptedMs.further;
    call.progress.goOn();
    try {
      call.steps ??= this.#handler.start(call.collectionId, call.request, call.progress);
      do {
        const step = call.steps.next();
        if (!step.done) continue;
        this.#end(call.id);
        return { value: step.value };
      } while (!this.#isOver(performance.now() - since, preemptedAfterMs));
    } catch (error) {
      this.#end(call.id);
      throw error;
    }
    call.progress.pause();
    return { pausedAt: call.progress.part };
  }

  #isOver(ms: number, preemptedAfterMs: number): boolean {
    return ms >= sliceMs || (ms >= preemptedAfterMs && this.#preemption.isRequested);
  }

  #end(id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    const left = this.#byCollection.get(call.collectionId)?.filter((each) => each !== id) ?? [];
    if (left.length === 0) this.#byCollection.delete(call.collectionId);
    else this.#byCollection.set(call.collectionId, left);
  }
}
