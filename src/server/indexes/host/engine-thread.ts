import type { Worker } from 'node:worker_threads';
import {
  AnswerTooLargeError,
  FieldNameError,
  FilterFaultError,
  TooDearError,
} from '#server/engine/search-index.ts';
import { isOutOfFiles } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { CallBudget } from './call-budget.ts';
import { EngineBusyError, ThreadEndedError } from './call-errors.ts';
import { CallTurns } from './call-turns.ts';
import type { CallName, EngineReply, EngineRequest } from './engine-calls.ts';
import type { AskedCollection } from './engine-host.ts';
import { IndexLostError } from './index-lost-error.ts';
import { movableOfRequest } from './movable-memory.ts';
import { Preemption } from './preemption.ts';
import type { Outcome, SharedMemory, ThreadAnswer, ThreadMessage, ThreadRequest } from './thread-messages.ts';
import { UpkeepMark } from './upkeep-mark.ts';
import { type Ticker, Watchdog } from './watchdog.ts';

/** One in work and one waiting in the thread, so that it never idles while this thread is busy. */
const turnsInFlightMax = 2;
/** What the messages of a call take, about. */
const tookMsMin = 0.05;

interface PendingCall<Name extends CallName = CallName> {
  id: number;
  collection: AskedCollection;
  request: EngineRequest<Name>;
  budget: CallBudget;
  /** The thread knows of it. */
  isSent: boolean;
  /** While it waits on this side; undefined: it may wait for ever. */
  waitTimer: NodeJS.Timeout | undefined;
  /** Its caller has been answered or has gone. */
  isOver: boolean;
  /** The thread answers a call with that call's answer: both ends are built from `EngineCalls`. */
  resolve(value: EngineReply<Name>): void;
  reject(reason: unknown): void;
}

export type StartWorker = (shared: SharedMemory) => Worker;

export interface ThreadOptions {
  number: number;
  log: Log;
  startWorker: StartWorker;
  /** What a call, or the calls of one request, may compute, and may wait. */
  budgetMs: number;
  /** A turn that is not over by then never will be. */
  stallMs: number;
  /** What that time is counted by; absent: a timer. */
  ticker?: Ticker | undefined;
  /** A call on this collection, or its upkeep, was at work when the thread ended. */
  onEnded: (collectionId: number) => void;
}

/**
 * One engine thread, started when it is first asked. Calls wait on this side, so that one whose caller has gone never reaches the
 * thread; they take turns of some milliseconds by what their callers have used, and each of its turns asks whether a call may still
 * go on. A call whose turn is before that of the one at work ends its slice early. When the thread dies, its indexes are lost and every call that waits is rejected; the next call starts it anew.
 */
export class EngineThread {
  readonly #options: ThreadOptions;
  readonly #preemption = new Preemption();
  readonly #turns = new CallTurns<PendingCall>(({ id }) => this.#preemption.end(id));
  readonly #inFlight = new Map<number, PendingCall>();
  readonly #watchdog: Watchdog;
  #worker: Worker | null = null;
  /** Of this worker alone: one that was ended may write for a moment longer. */
  #upkeep = new UpkeepMark();
  #lastId = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#watchdog = new Watchdog({
      stallMs: options.stallMs,
      ticker: options.ticker,
      isExpecting: () => this.#inFlight.size > 0,
      onStalled: () => this.#stalled(),
    });
  }

  /**
   * @throws IndexLostError, ThreadEndedError, FilterFaultError, TooDearError, AnswerTooLargeError, SearchTimeoutError, EngineBusyError, the signal's
   * reason, whatever the engine throws
   */
  call<Name extends CallName>(
    collection: AskedCollection,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const abort = () => this.#giveUp(call, signal?.reason);
      const { budgetMs } = this.#options;
      const budget = new CallBudget(request, { budgetMs, signal, now: performance.now() });
      const settled = () => {
        call.isOver = true;
        clearTimeout(call.waitTimer);
        signal?.removeEventListener('abort', abort);
      };
      const call: PendingCall<Name> = {
        id: ++this.#lastId,
        collection,
        request,
        budget,
        isSent: false,
        waitTimer: undefined,
        isOver: false,
        resolve: (value) => {
          settled();
          resolve(value);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#turns.add(call);
      this.#preempt(call);
      this.#send();
      if (!call.isSent && !call.isOver) this.#limitWait(call);
    });
  }

  /** Calls that are not at work. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
    this.#loseAll();
  }

  /** Until it is sent, when the thread answers or is ended. */
  #limitWait(call: PendingCall): void {
    call.waitTimer = call.budget.onWaited(() => this.#giveUp(call, new EngineBusyError()));
  }

  /** While calls have paused, each turn is chosen when the one before it is over: so nobody waits for more than one slice. */
  #send(): void {
    while (this.#inFlight.size < (this.#turns.hasUnfinished ? 1 : turnsInFlightMax)) {
      const call = this.#turns.takeNext();
      if (!call) return;
      const fault = call.budget.begin(performance.now());
      if (fault) this.#drop(call, fault);
      else this.#post(call);
    }
  }

  /** Its turn is before that of a call that was sent. It would have to wait all the same for one of its own collection. */
  #preempt(call: PendingCall): void {
    const comesBefore = (other: PendingCall) =>
      other.collection.id !== call.collection.id && this.#turns.comesBefore(call, other);
    if ([...this.#inFlight.values()].some(comesBefore)) this.#preemption.request(call.id);
  }

  #post(call: PendingCall): void {
    const { id, collection, request, isSent } = call;
    call.isSent = true;
    clearTimeout(call.waitTimer);
    this.#inFlight.set(id, call);
    this.#worker ??= this.#start();
    if (isSent) this.#worker.postMessage({ id, goesOn: true } satisfies ThreadRequest);
    else {
      const message: ThreadRequest = { id, collectionId: collection.id, request };
      this.#worker.postMessage(message, movableOfRequest(request));
    }
  }

  #start(): Worker {
    const { number, log, startWorker } = this.#options;
    this.#upkeep = new UpkeepMark();
    const worker = startWorker({ preemption: this.#preemption.memory, upkeep: this.#upkeep.memory });
    worker.on('message', (message: ThreadMessage) => {
      if (this.#worker !== worker) return;
      if ('isReady' in message) this.#watchdog.start();
      else this.#receive(message);
    });
    // No fault of the collection that is asked.
    let couldNotStart = false;
    worker.on('error', (error) => {
      couldNotStart = isOutOfFiles(error) || ('code' in error && error.code === 'ERR_WORKER_INIT_FAILED');
      log.error('engine thread failed', { thread: number, error });
    });
    worker.on('exit', (code) => {
      if (this.#worker === worker)
        this.#ended('engine thread ended; its indexes are opened again on use', { code, couldNotStart });
    });
    worker.unref();
    return worker;
  }

  #receive(answer: ThreadAnswer): void {
    const { id, tookMs, computedMs } = answer;
    this.#watchdog.reset();
    const call = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    // The thread may have taken it before it wanted its turn.
    this.#preemption.end(id);
    if (call) {
      this.#turns.charge(call, Math.max(tookMs, tookMsMin));
      const now = performance.now();
      const part = 'pausedAt' in answer ? answer.pausedAt : null;
      const fault =
        'waits' in answer ? call.budget.begin(now) : call.budget.end(now, { tookMs, computedMs, part });
      if (!('pausedAt' in answer || 'waits' in answer)) this.#turns.end(call);
      else if (call.isOver || fault) this.#drop(call, fault);
      else {
        this.#limitWait(call);
        if ('waits' in answer) this.#turns.hold(call);
        else this.#turns.pause(call);
      }
    }
    // Before the answer is looked at, so that the thread has work meanwhile.
    this.#send();
    if (call) settle(call, answer);
  }

  /** Its caller has gone. What is at work is dropped when its slice is over. */
  #giveUp(call: PendingCall, reason: unknown): void {
    call.reject(reason);
    if (this.#inFlight.has(call.id)) return;
    this.#drop(call, null);
    this.#send();
  }

  /** Ends a call that is not at work. */
  #drop(call: PendingCall, reason: Error | null): void {
    if (reason) call.reject(reason);
    this.#preemption.end(call.id);
    if (call.isSent) this.#worker?.postMessage({ id: call.id, isCancelled: true } satisfies ThreadRequest);
    this.#turns.end(call);
  }

  #stalled(): void {
    const worker = this.#worker;
    this.#ended('engine thread does not come back; it is ended, and its indexes are opened again on use', {});
    void worker?.terminate();
  }

  #ended(message: string, details: { code?: number; couldNotStart?: boolean }): void {
    const { number, log, onEnded } = this.#options;
    const [atWork] = this.#inFlight.values();
    // Calls that came amid an upkeep have waited for it.
    const inUpkeep = this.#upkeep.collectionId;
    const collectionId = inUpkeep ?? atWork?.collection.id;
    log.error(message, { thread: number, collectionId, isUpkeep: inUpkeep !== null, ...details });
    this.#worker = null;
    if (collectionId !== undefined && !details.couldNotStart) {
      onEnded(collectionId);
      if (atWork?.collection.id === collectionId) atWork.reject(new ThreadEndedError(collectionId));
    }
    this.#loseAll();
  }

  #loseAll(): void {
    const calls = [...this.#inFlight.values(), ...this.#turns.takeAll()];
    this.#inFlight.clear();
    this.#watchdog.stop();
    for (const { id, collection, reject } of calls) {
      this.#preemption.end(id);
      reject(new IndexLostError(collection.id));
    }
  }
}

function settle(call: PendingCall, outcome: Outcome): void {
  if ('value' in outcome) call.resolve(outcome.value);
  else if ('lost' in outcome) call.reject(new IndexLostError(call.collection.id));
  else if ('faults' in outcome) call.reject(new FilterFaultError(outcome.faults, outcome.isOfRule));
  else if ('unknownName' in outcome)
    call.reject(new FieldNameError(outcome.unknownName.part, outcome.unknownName.fault));
  else if ('tooLargeBytes' in outcome) call.reject(new AnswerTooLargeError(outcome.tooLargeBytes));
  else if ('tooDear' in outcome) call.reject(new TooDearError(outcome.tooDear));
  else if ('error' in outcome) {
    const { message, stack } = outcome.error;
    call.reject(Object.assign(new Error(message), { stack }));
  }
}
