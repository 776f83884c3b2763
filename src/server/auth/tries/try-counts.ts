import { hash, randomBytes } from 'node:crypto';
import { RecentMap } from '#server/memory/recent-map.ts';

/** How often something was tried, and when last: milliseconds of a clock that is never put back. */
export interface Tries {
  count: number;
  triedAt: number;
}

/** Quiet for this long, a key starts afresh: far fewer tries than the longest wait would allow meanwhile. */
export const triesForgottenAfterMs = 24 * 60 * 60 * 1000;

const entriesMax = 50_000;
const bucketBits = 17;

/**
 * Tries by key, in bounded memory that nobody can empty by trying other keys. The keys touched last have an entry each. One that leaves
 * for want of room goes into a bucket, which holds the most of all that went there: so a key may seem to have been tried more often than
 * it was, never less often. Who shares a bucket cannot be told from outside, since it goes by a hash with a seed of this process.
 */
export class TryCounts {
  readonly #entries = new RecentMap<Tries>({ entriesMax, onEvicted: (key, tries) => this.#pour(key, tries) });
  readonly #seed = randomBytes(16).toString('hex');
  /** Made when the first entry leaves. */
  #buckets: { count: Uint16Array; triedAt: Float64Array } | null = null;

  find(key: string, now: number): Tries {
    const found = this.#entries.peek(key) ?? this.#inBucket(key);
    return now - found.triedAt < triesForgottenAfterMs ? found : { count: 0, triedAt: now };
  }

  /** One more. */
  add(key: string, now: number): { giveBack(): void } {
    const before = this.find(key, now);
    const counted = { count: before.count + 1, triedAt: now };
    this.#set(key, counted);
    return {
      giveBack: () => {
        const current = this.find(key, now);
        const isLast = current.count === counted.count && current.triedAt === counted.triedAt;
        if (isLast) this.#set(key, before);
        else if (current.count > 0) this.#set(key, { ...current, count: current.count - 1 });
      },
    };
  }

  /** Somebody else has counted tries under this key, the last one `agoMs` ago. What is known here already counts once. */
  learn(key: string, { count, agoMs }: { count: number; agoMs: number }, now: number): void {
    if (count > this.find(key, now).count) this.#set(key, { count, triedAt: now - Math.max(0, agoMs) });
  }

  clear(key: string, now: number): void {
    this.#set(key, { count: 0, triedAt: now });
  }

  #set(key: string, tries: Tries): void {
    // Where the bucket says more than is true of this key, its entry stays to say so.
    if (tries.count === 0 && this.#inBucket(key).count === 0) this.#entries.delete(key);
    else this.#entries.set(key, tries);
  }

  #inBucket(key: string): Tries {
    const bucket = this.#bucketOf(key);
    const count = this.#buckets?.count[bucket] ?? 0;
    return { count, triedAt: count === 0 ? 0 : (this.#buckets?.triedAt[bucket] ?? 0) };
  }

  #pour(key: string, { count, triedAt }: Tries): void {
    if (count === 0) return;
    const size = 2 ** bucketBits;
    this.#buckets ??= { count: new Uint16Array(size), triedAt: new Float64Array(size) };
    const bucket = this.#bucketOf(key);
    const there = this.#inBucket(key);
    this.#buckets.count[bucket] = Math.min(Math.max(count, there.count), 0xffff);
    this.#buckets.triedAt[bucket] = Math.max(triedAt, there.triedAt);
  }

  #bucketOf(key: string): number {
    if (this.#buckets === null) return 0;
    return hash('sha256', this.#seed + key, 'buffer').readUInt32BE() >>> (32 - bucketBits);
  }
}
