import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';

interface Kept<Value> {
  value: Value;
  readAt: number;
  isOutdated: boolean;
}

interface KeptListsParts<Value> {
  log: Log;
  /** What is kept, as the log names it. */
  what: string;
  /** Milliseconds that only grow. */
  now: () => number;
  bytesOf(value: Value): number;
  /** It is read again after so long; after less where something is known to have changed. */
  rereadAfterMs: { outdated: number; anyway: number };
}

const bounds = { entriesMax: 1_000, sizeMax: 16 * 1024 * 1024 };

/** What is told to everybody who asks about a collection: read once, and again beside whoever asks, so that nobody waits twice. */
export class KeptLists<Value> {
  readonly #parts: KeptListsParts<Value>;
  readonly #kept = new RecentMap<Kept<Value>>(bounds);
  readonly #reading = new Map<number, { value: Promise<Value>; isOutdated: boolean }>();

  constructor(parts: KeptListsParts<Value>) {
    this.#parts = parts;
  }

  /** @throws what `read` throws, where nothing is kept */
  async of(collectionId: number, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(String(collectionId));
    if (kept === undefined) return await this.#read(collectionId, read);
    if (this.#isDue(kept)) this.#readBeside(collectionId, kept, read);
    return kept.value;
  }

  outdate(collectionId: number): void {
    // What is being read may have been read before.
    for (const each of [this.#kept.peek(String(collectionId)), this.#reading.get(collectionId)])
      if (each) each.isOutdated = true;
  }

  drop(collectionId: number): void {
    this.#kept.delete(String(collectionId));
  }

  #isDue({ readAt, isOutdated }: Kept<Value>): boolean {
    const { now, rereadAfterMs } = this.#parts;
    return now() - readAt > (isOutdated ? rereadAfterMs.outdated : rereadAfterMs.anyway);
  }

  #readBeside(collectionId: number, kept: Kept<Value>, read: () => Promise<Value>): void {
    const { log, what, now } = this.#parts;
    this.#read(collectionId, read).catch((error: unknown) => {
      // It is tried again after as long as if it had been read.
      kept.readAt = now();
      log.warn(`${what} were not read`, { collectionId, error });
    });
  }

  /** One for all who ask at the same time. */
  #read(collectionId: number, read: () => Promise<Value>): Promise<Value> {
    const underWay = this.#reading.get(collectionId);
    if (underWay) return underWay.value;
    const reading = { value: this.#readNow(collectionId, read), isOutdated: false };
    this.#reading.set(collectionId, reading);
    return reading.value;
  }

  async #readNow(collectionId: number, read: () => Promise<Value>): Promise<Value> {
    const { bytesOf, now } = this.#parts;
    try {
      const value = await read();
      const isOutdated = this.#reading.get(collectionId)?.isOutdated ?? false;
      this.#kept.set(String(collectionId), { value, readAt: now(), isOutdated }, bytesOf(value));
      return value;
    } finally {
      this.#reading.delete(collectionId);
    }
  }
}
