import { randomBytes, timingSafeEqual } from 'node:crypto';
import { limits } from '#shared/limits.ts';
import { type SearchMode, searchModes } from '#shared/search.ts';

/** A search, as its id tells of it. */
export interface SearchRef {
  mode: SearchMode;
  /** To the minute. */
  at: Date;
  /** A hash of the query. */
  key: number;
  /** A random number of the search. */
  search: number;
}

/** Signs a text, so that only this server can have made the signature. */
type Sign = (text: string) => string;

const bytes = { mode: 1, minutes: 4, key: 6, search: 6 };
const refBytes = bytes.mode + bytes.minutes + bytes.key + bytes.search;
/** Of base64url. */
const refCharacters = Math.ceil((refBytes * 8) / 6);
/** 72 bits: an id can only be guessed by asking. */
const signatureCharacters = 12;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Ids of searches. An id says itself which query of which day it stands for, and is signed for one collection: nothing is kept of a search
 * whose hits nobody clicks, and any server that shares the secret takes the id.
 */
export class QueryIds {
  readonly #sign: Sign;
  /** Each id is written down here, byte by byte: a buffer for each, and to call what writes into it, took longer than its signature. */
  readonly #ref = Buffer.alloc(refBytes);

  constructor(sign: Sign) {
    this.#sign = sign;
  }

  issue(collectionId: number, { mode, at, key, search }: SearchRef): string {
    let end = this.#put(searchModes.indexOf(mode), 0, bytes.mode);
    end = this.#put(Math.floor(at.getTime() / minuteMs), end, bytes.minutes);
    end = this.#put(key, end, bytes.key);
    this.#put(search, end, bytes.search);
    const text = this.#ref.toString('base64url');
    return text + this.#signatureOf(collectionId, text);
  }

  /** Null: no search of the collection has this id, or it is too long ago. */
  read(collectionId: number, id: string, now: Date): SearchRef | null {
    const text = id.slice(0, refCharacters);
    if (!isSame(id.slice(refCharacters), this.#signatureOf(collectionId, text))) return null;
    const ref = Buffer.from(text, 'base64url');
    const mode = searchModes[ref.readUInt8(0)];
    const at = new Date(ref.readUInt32BE(bytes.mode) * minuteMs);
    const isOld = now.getTime() - at.getTime() > limits.queryIdDaysMax * dayMs;
    if (mode === undefined || isOld) return null;
    const keyAt = bytes.mode + bytes.minutes;
    const key = ref.readUIntBE(keyAt, bytes.key);
    return { mode, at, key, search: ref.readUIntBE(keyAt + bytes.key, bytes.search) };
  }

  /** The most significant byte first. Answers where the next number begins. */
  #put(value: number, at: number, byteCount: number): number {
    const high = Math.floor(value / 2 ** 32);
    for (let i = 0; i < byteCount; i += 1) {
      const below = byteCount - 1 - i;
      this.#ref[at + i] = below < 4 ? value >>> (8 * below) : high >>> (8 * (below - 4));
    }
    return at + byteCount;
  }

  #signatureOf(collectionId: number, text: string): string {
    return this.#sign(`${collectionId}.${text}`).slice(0, signatureCharacters);
  }
}

/** Random numbers are made for so many searches at once: to ask for each costs as much as all the rest. */
const numbersAtOnce = 256;
let pool = Buffer.alloc(0);
let used = 0;

export function newSearchNumber(): number {
  if (used + bytes.search > pool.byteLength) {
    pool = randomBytes(numbersAtOnce * bytes.search);
    used = 0;
  }
  used += bytes.search;
  return pool.readUIntBE(used - bytes.search, bytes.search);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
