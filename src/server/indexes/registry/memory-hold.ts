/** How long one waits for room. */
export interface Deadline {
  /** By `now`. */
  until: number;
  signal?: AbortSignal | undefined;
}

export interface Wait extends Deadline {
  /** For what has been begun, each time it needs more. */
  againMs: number;
}

/** What an index will hold, as far as it is known. */
export interface Need {
  /** Of a guess a fifth of all there is is left to others, until it has come true. */
  about: number;
  /** It is refused where all together may have less. */
  atLeast: number;
}

/** What one index holds, from before it is read until it is closed. */
export interface MemoryHold {
  readonly lastUsed: number;
  /** It is used. */
  touch(): void;
  /** Nobody uses it any more. */
  rest(): void;
  /**
   * Waits until there is room for it, before it is there; also where it holds as much already, while all together hold more than they may and its
   * account has part in that.
   * @throws IndexTooLargeError, NoMemoryLeftError, the signal's reason
   */
  raiseTo(need: Need, deadline: Deadline): Promise<void>;
  /** What it has come to. Nobody is asked: it is there already. */
  set(bytes: number): void;
  release(): void;
}

/** The memory that an index may take, asked for before it does. */
export interface Room {
  /** @throws IndexTooLargeError, NoMemoryLeftError, the signal's reason */
  raiseTo(need: Need): Promise<void>;
  /** What it has come to. */
  set(bytes: number): void;
}

export function roomOf(hold: MemoryHold, wait: Wait, now: () => number): Room {
  let isBegun = false;
  return {
    async raiseTo(need) {
      const { until, againMs } = wait;
      // What has been begun is not given up with the one who asked first, nor for the time that it has taken.
      await hold.raiseTo(need, isBegun ? { until: Math.max(until, now() + againMs) } : wait);
      isBegun = true;
    },
    set: (bytes) => hold.set(bytes),
  };
}
