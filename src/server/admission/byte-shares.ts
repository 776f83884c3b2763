import { AppError } from '#server/errors.ts';

/** What one request holds. */
export interface Held {
  /** @throws AppError UNAVAILABLE: it is not held then */
  add(bytes: number): void;
  /** So many in all, if it was less. @throws AppError UNAVAILABLE */
  raiseTo(bytes: number): void;
  /** The same for what cannot be refused any more: as much of it as there is room for. */
  raiseUpTo(bytes: number): void;
  /** Beside it what one call of several holds, which is released by itself, with the whole at the latest. */
  part(): Held;
  /** All of it, once and for good. */
  release(): void;
}

const retryAfterSeconds = 1;
const manyRequests = 'The server holds as many large requests as it can; try again in a moment';

/**
 * Bytes that requests hold in memory together, never more than `bytesMax`. A tenant may hold as much as is left free (Choudhury and Hahne,
 * "Dynamic queue length thresholds for shared-memory packet switches", 1998): alone it has half of the whole, by its first request too, and whoever
 * comes beside those who hold much still finds room.
 */
export class ByteShares {
  readonly bytesMax: number;
  readonly #refusal: string;
  readonly #tenants = new Map<string, number>();
  #held = 0;

  /** @param refusal what is said where there is no room */
  constructor(bytesMax: number, refusal = manyRequests) {
    this.bytesMax = bytesMax;
    this.#refusal = refusal;
  }

  get heldBytes(): number {
    return this.#held;
  }

  hold(tenant: string): Held {
    let held = 0;
    let isOver = false;
    const parts = new Set<Held>();
    const add = (bytes: number) => {
      if (isOver) return;
      this.#assertRoom(tenant, bytes);
      held += bytes;
      this.#change(tenant, bytes);
    };
    return {
      add,
      raiseTo: (bytes) => add(Math.max(0, bytes - held)),
      // So much at most that it leaves free what it has.
      raiseUpTo: (bytes) => add(Math.max(0, Math.min(bytes - held, Math.floor(this.#roomOf(tenant) / 2)))),
      part: () => {
        const part = this.hold(tenant);
        if (isOver) part.release();
        else parts.add(part);
        return {
          ...part,
          release() {
            parts.delete(part);
            part.release();
          },
        };
      },
      release: () => {
        isOver = true;
        for (const part of parts) part.release();
        parts.clear();
        this.#change(tenant, -held);
        held = 0;
      },
    };
  }

  /** Of what is free, what it has not got already. */
  #roomOf(tenant: string): number {
    return this.bytesMax - this.#held - (this.#tenants.get(tenant) ?? 0);
  }

  #assertRoom(tenant: string, bytes: number): void {
    // What it comes to have is at most what it leaves free.
    if (bytes === 0 || 2 * bytes <= this.#roomOf(tenant)) return;
    throw new AppError('UNAVAILABLE', this.#refusal, { retryAfterSeconds });
  }

  #change(tenant: string, bytes: number): void {
    const own = (this.#tenants.get(tenant) ?? 0) + bytes;
    this.#held += bytes;
    if (own === 0) this.#tenants.delete(tenant);
    else this.#tenants.set(tenant, own);
  }
}
