import type { Requester } from '#server/admission/requester.ts';
import type { Deadline } from './memory-hold.ts';
import type { Holding } from './who-leaves.ts';

interface Asked {
  holding: Holding;
  requester: Requester;
  moreBytes: number;
  deadline: Deadline;
}

interface AskEvents {
  /** Its time is over. It goes on until it is refused. */
  late: (ask: MemoryAsk) => void;
  /** Nobody waits for it any more. */
  gone: (ask: MemoryAsk, reason: unknown) => void;
}

/** Somebody waits for room, until it is granted or refused. */
export class MemoryAsk {
  readonly holding: Holding;
  readonly requester: Requester;
  readonly moreBytes: number;
  /** Of what is free, what is kept for it. */
  keptBytes = 0;
  /** Indexes that leave for it. */
  leaving = 0;
  /** Rejects with the reason of a refusal. */
  readonly ended: Promise<void>;
  readonly #waitMs: number;
  readonly #late: () => void;
  #timer: NodeJS.Timeout;
  #end: (refusal: { reason: unknown } | null) => void = () => undefined;

  constructor({ deadline, ...asked }: Asked, now: () => number, { late, gone }: AskEvents) {
    const { until, signal } = deadline;
    this.holding = asked.holding;
    this.requester = asked.requester;
    this.moreBytes = asked.moreBytes;
    this.#waitMs = Math.max(0, until - now());
    this.#late = () => late(this);
    this.#timer = setTimeout(this.#late, this.#waitMs);
    const abort = () => gone(this, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.ended = new Promise((resolve, reject) => {
      this.#end = (refusal) => {
        clearTimeout(this.#timer);
        signal?.removeEventListener('abort', abort);
        if (refusal) reject(refusal.reason);
        else resolve();
      };
    });
  }

  grant(): void {
    this.#end(null);
  }

  refuse(reason: unknown): void {
    this.#end({ reason });
  }

  /** It has as long again as at first. */
  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#late, this.#waitMs);
  }
}
