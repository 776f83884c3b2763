/** Largest number that the shared word holds. */
const idMax = 0x7fff_ffff;

/**
 * Which call wants to have its turn before the slice at work is over, in memory that a thread and its host share: the thread looks at it
 * between two steps, where a message would reach it only behind the slice. One call wants at a time; it wants until the thread has it.
 */
export class Preemption {
  readonly #wanted: Int32Array<SharedArrayBuffer>;

  /** @param memory of the other side; absent: this side's own */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#wanted = new Int32Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#wanted.buffer;
  }

  /** Without effect while another call wants. */
  request(id: number): void {
    Atomics.compareExchange(this.#wanted, 0, 0, wordOf(id));
  }

  /** It has its turn, or does not want one any more. */
  end(id: number): void {
    Atomics.compareExchange(this.#wanted, 0, wordOf(id), 0);
  }

  get isRequested(): boolean {
    return Atomics.load(this.#wanted, 0) !== 0;
  }
}

/** Never zero. */
const wordOf = (id: number): number => (id % idMax) + 1;
