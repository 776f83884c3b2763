import { SharedMap } from '#server/memory/shared-map.ts';

type Ask = (query: OwnedQuery) => Promise<Float32Array>;

export interface OwnedQuery {
  text: string;
  dimension: number;
  /** The account that searches are of: by another one's time nobody learns what it searches for. */
  owner: string;
}

const rememberedBytesMax = 16 * 1024 * 1024;
const entryBytes = 200;

/** Vectors of queries of late, and of those under way: who asks the same for the same account waits for the same answer. */
export class RememberedQueries {
  readonly #ask: Ask;
  readonly #remembered = new SharedMap<Float32Array>({
    entriesMax: Number.POSITIVE_INFINITY,
    sizeMax: rememberedBytesMax,
  });
  readonly #asked = new Map<string, Promise<Float32Array>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @throws what asking throws */
  async embed(query: OwnedQuery): Promise<Float32Array> {
    const { text, dimension, owner } = query;
    const key = `${owner} ${dimension} ${text}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    let asking = this.#asked.get(key);
    if (!asking) {
      asking = this.#ask(query).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asking);
    }
    const vector = await asking;
    const size = entryBytes + vector.byteLength + 2 * key.length;
    this.#remembered.set(key, vector, { owner, size });
    return vector;
  }
}
