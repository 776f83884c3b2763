import type { FieldView } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from '../search/merged-members.ts';
import { plainQuery } from '../search/query.ts';
import { titleFields } from './document-titles.ts';
import { KeptLists } from './kept-lists.ts';

interface TopValuesParts {
  registry: Reader;
  log: Log;
  /** Milliseconds that only grow. */
  now: () => number;
}

/** Fields whose values are counted, and values that are asked of each. */
const fieldsMax = 5;
const valuesMax = 10;
const valueCharactersMax = 40;
const answerBytesMax = 256 * 1024;
const rereadAfterMs = { outdated: 60_000, anyway: 60_000 };

/** The values that many documents share, the most frequent ones first: what there is to search for where nobody has searched yet. */
export class TopValues {
  readonly #registry: Reader;
  readonly #kept: KeptLists<string[]>;

  constructor({ registry, log, now }: TopValuesParts) {
    this.#registry = registry;
    this.#kept = new KeptLists({ log, now, what: 'values of documents', rereadAfterMs, bytesOf });
  }

  /** For all who ask, so that none of them can call it off. */
  of(collection: CollectionHandle): Promise<string[]> {
    return this.#kept.of(collection, () => this.#read(collection));
  }

  drop(collectionId: number): void {
    this.#kept.drop(collectionId);
  }

  async #read(collection: CollectionHandle): Promise<string[]> {
    const fields = await this.#registry.read(collection, { call: 'fields' });
    const counted = fields.filter(mayHaveValues).slice(0, fieldsMax);
    if (counted.length === 0) return [];
    const facets = counted.map(({ path }) => ({ field: path, ranges: [] }));
    const query = plainQuery(undefined, { limit: 0, facets, facetValuesMax: valuesMax });
    const request = { call: 'search', query, shown: {}, bytesMax: answerBytesMax } as const;
    const { facets: told } = await this.#registry.read(collection, request).catch(noneIfTooDear);
    if (told === null) return [];
    return new JsonText<FacetCounts[]>(told)
      .parse()
      .flatMap(({ counts }) => counts)
      .filter(({ value, count }) => count > 1 && value.length <= valueCharactersMax)
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .map(({ value }) => value);
  }
}

/** What takes more than a search may, suggests nothing. */
function noneIfTooDear(error: unknown): { facets: null } {
  if (error instanceof AppError && error.code === 'UNPROCESSABLE') return { facets: null };
  throw error;
}

function bytesOf(values: string[]): number {
  return values.reduce((sum, { length }) => sum + 2 * length, 0);
}

function mayHaveValues({ path, types, documentCount }: FieldView): boolean {
  return documentCount > 0 && types.includes('string') && !titleFields.includes(path);
}
