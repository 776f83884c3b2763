import { FairQueue } from '#server/admission/fair-queue.ts';
import { pathOf, type Requester } from '#server/admission/requester.ts';

interface Waiting {
  requester: Requester;
  bytes: number;
  grant: () => void;
}

/** Bytes that somebody may hold. */
export interface Grant {
  /** What it came to. */
  shrinkTo(bytes: number): void;
  release(): void;
}

/**
 * What all who do the same hold together; who asks for more than is left waits. Tenants take turns, and the callers of a tenant. One that
 * holds as much as is left free gets no more, so that others find some however long it holds that.
 * An import asks for a batch's worth once a row of it has arrived, and its sender waits with it: rows that were read, batches that wait,
 * vectors. One that is silent while others wait is told, so that it gives up what it does not use.
 */
export class ByteBudget {
  readonly #bytesMax: number;
  #free: number;
  readonly #heldBy = new Map<string, number>();
  readonly #waiting: FairQueue<Waiting>;
  /** Whose turn it is, until there is enough for it. */
  #next: Waiting | null = null;
  readonly #silent = new Set<() => void>();
  #isTelling = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#free = bytesMax;
    const placeOf = ({ requester }: Waiting) => ({ path: pathOf(requester), weight: 1 });
    this.#waiting = new FairQueue(placeOf, bytesMax);
  }

  /** What is held. */
  get heldBytes(): number {
    return this.#bytesMax - this.#free;
  }

  /** @throws the signal's reason */
  async take(requester: Requester, bytes: number, signal?: AbortSignal): Promise<Grant> {
    signal?.throwIfAborted();
    const wanted = Math.min(bytes, this.#bytesMax);
    await new Promise<void>((resolve, reject) => {
      const waiting = { requester, bytes: wanted, grant: () => settle(resolve) };
      const abort = () => {
        if (this.#next === waiting) this.#next = null;
        else this.#waiting.remove(waiting);
        settle(() => reject(signal?.reason));
        this.#grantAll();
      };
      const settle = (outcome: () => void) => {
        signal?.removeEventListener('abort', abort);
        outcome();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
      this.#grantAll();
    });
    return this.#granted(requester.tenant, wanted);
  }

  /** The same without waiting. Null: somebody waits, or too little is left. */
  takeIfFree({ tenant }: Requester, bytes: number): Grant | null {
    const wanted = Math.min(bytes, this.#bytesMax);
    if (this.#isWanted || wanted > this.#free || this.#heldOf(tenant) >= this.#free) return null;
    this.#hold(tenant, wanted);
    return this.#granted(tenant, wanted);
  }

  /** Calls back, in a later turn, if somebody waits then or comes to wait. Answers how to stop that. */
  onWanted(tell: () => void): () => void {
    this.#silent.add(tell);
    if (this.#isWanted) this.#tellSilent();
    return () => void this.#silent.delete(tell);
  }

  get #isWanted(): boolean {
    return this.#next !== null || this.#waiting.size > 0;
  }

  #granted(tenant: string, bytes: number): Grant {
    let held = bytes;
    const shrinkTo = (left: number) => {
      const given = Math.max(0, held - left);
      held -= given;
      this.#hold(tenant, -given);
      if (given > 0) this.#grantAll();
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  #hold(tenant: string, bytes: number): void {
    const held = this.#heldOf(tenant) + bytes;
    this.#free -= bytes;
    if (held === 0) this.#heldBy.delete(tenant);
    else this.#heldBy.set(tenant, held);
  }

  #heldOf(tenant: string): number {
    return this.#heldBy.get(tenant) ?? 0;
  }

  #grantAll(): void {
    const mayHaveMore = ({ requester }: Waiting) => this.#heldOf(requester.tenant) < this.#free;
    for (;;) {
      this.#next ??= this.#waiting.takeNextThat(mayHaveMore);
      const next = this.#next;
      if (next === null || next.bytes > this.#free) {
        if (this.#isWanted) this.#tellSilent();
        return;
      }
      this.#next = null;
      this.#hold(next.requester.tenant, next.bytes);
      this.#waiting.charge(next, next.bytes);
      next.grant();
    }
  }

  /** In a later turn: rows that are here already are not waited for. */
  #tellSilent(): void {
    if (this.#isTelling || this.#silent.size === 0) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      if (this.#isWanted) for (const tell of this.#silent) tell();
    });
  }
}
