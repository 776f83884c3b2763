import { RecentMap } from '#server/memory/recent-map.ts';

type Ask = (text: string, dimension: number) => Promise<Float32Array>;

const rememberedBytesMax = 16 * 1024 * 1024;
const entryBytes = 200;

/** Vectors of queries of late, and of those under way: who asks the same waits for the same answer. */
export class RememberedQueries {
  readonly #ask: Ask;
  readonly #remembered = new RecentMap<Float32Array>({
    entriesMax: Number.POSITIVE_INFINITY,
    sizeMax: rememberedBytesMax,
  });
  readonly #asked = new Map<string, Promise<Float32Array>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** @throws what asking throws */
  async embed(text: string, dimension: number): Promise<Float32Array> {
    const key = `${dimension} ${text}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    let asking = this.#asked.get(key);
    if (!asking) {
      asking = this.#ask(text, dimension).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asking);
    }
    const vector = await asking;
    this.#remembered.set(key, vector, entryBytes + vector.byteLength + 2 * text.length);
    return vector;
  }
}
