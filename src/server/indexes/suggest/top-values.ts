import type { FieldView } from '#server/engine/types.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from '../search/merged-members.ts';
import { plainQuery } from '../search/query.ts';
import { titleFields } from './document-titles.ts';

/** Fields whose values are counted, and values that are asked of each. */
const fieldsMax = 5;
const valuesMax = 10;
const valueCharactersMax = 40;
const answerBytesMax = 256 * 1024;
/** Everybody who has typed nothing yet is told the same. */
const keptMs = 60_000;

/** The values that many documents share, the most frequent ones first: what there is to search for where nobody has searched yet. */
export class TopValues {
  readonly #registry: Reader;
  readonly #now: () => number;
  readonly #kept = new RecentMap<{ values: string[]; at: number }>({ entriesMax: 1_000 });

  constructor(registry: Reader, now: () => number) {
    this.#registry = registry;
    this.#now = now;
  }

  async of(collection: CollectionHandle, signal: AbortSignal | undefined): Promise<string[]> {
    const kept = this.#kept.get(String(collection.id));
    if (kept && this.#now() - kept.at < keptMs) return kept.values;
    const values = await this.#read(collection, signal);
    this.#kept.set(String(collection.id), { values, at: this.#now() });
    return values;
  }

  async #read(collection: CollectionHandle, signal: AbortSignal | undefined): Promise<string[]> {
    const fields = await this.#registry.read(collection, { call: 'fields' }, signal);
    const counted = fields.filter(mayHaveValues).slice(0, fieldsMax);
    if (counted.length === 0) return [];
    const facets = counted.map(({ path }) => ({ field: path, ranges: [] }));
    const query = plainQuery(undefined, { limit: 0, facets, facetValuesMax: valuesMax });
    const request = { call: 'search', query, shown: {}, bytesMax: answerBytesMax } as const;
    const answer = await this.#registry.read(collection, request, signal);
    if (answer.facets === null) return [];
    const told = new JsonText<FacetCounts[]>(answer.facets).parse().flatMap(({ counts }) => counts);
    return told
      .filter(({ value, count }) => count > 1 && value.length <= valueCharactersMax)
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .map(({ value }) => value);
  }
}

function mayHaveValues({ path, types, documentCount }: FieldView): boolean {
  return documentCount > 0 && types.includes('string') && !titleFields.includes(path);
}
