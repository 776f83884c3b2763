import type { Log } from '#server/log.ts';
import { SharedMap } from '#server/memory/shared-map.ts';
import type { CollectionHandle } from '../indexes.ts';

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

type Collection = Pick<CollectionHandle, 'id' | 'for'>;

/** Of all collections together; of those whose accounts hold most, the ones that were used longest ago go first. */
const bounds = { entriesMax: 1_000, sizeMax: 16 * 1024 * 1024 };

/** What is told to everybody who asks about a collection: read once, and again beside whoever asks, so that nobody waits twice. */
export class KeptLists<Value> {
  readonly #parts: KeptListsParts<Value>;
  readonly #kept = new SharedMap<Kept<Value>>(bounds);
  readonly #reading = new Map<number, { value: Promise<Value>; isOutdated: boolean }>();

  constructor(parts: KeptListsParts<Value>) {
    this.#parts = parts;
  }

  /** @throws what `read` throws, where nothing is kept */
  async of(collection: Collection, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(String(collection.id));
    if (kept === undefined) return await this.#read(collection, read);
    if (this.#isDue(kept)) this.#readBeside(collection, kept, read);
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

  #readBeside(collection: Collection, kept: Kept<Value>, read: () => Promise<Value>): void {
    const { log, what, now } = this.#parts;
    this.#read(collection, read).catch((error: unknown) => {
      // It is tried again after as long as if it had been read.
      kept.readAt = now();
      log.warn(`${what} were not read`, { collectionId: collection.id, error });
    });
  }

  /** One for all who ask at the same time. */
  #read(collection: Collection, read: () => Promise<Value>): Promise<Value> {
    const underWay = this.#reading.get(collection.id);
    if (underWay) return underWay.value;
    const reading = { value: this.#readNow(collection, read), isOutdated: false };
    this.#reading.set(collection.id, reading);
    return reading.value;
  }

  async #readNow({ id, for: { tenant } }: Collection, read: () => Promise<Value>): Promise<Value> {
    const { bytesOf, now } = this.#parts;
    try {
      const value = await read();
      const isOutdated = this.#reading.get(id)?.isOutdated ?? false;
      const share = { owner: tenant, size: bytesOf(value) };
      this.#kept.set(String(id), { value, readAt: now(), isOutdated }, share);
      return value;
    } finally {
      this.#reading.delete(id);
    }
  }
}
