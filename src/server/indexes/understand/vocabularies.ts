import { loopTurns } from '#server/admission/loop-turns.ts';
import { fold } from '#server/engine/search-index.ts';
import type { FieldView } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { JsonText } from '#server/wire/json-text.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import { limits } from '#shared/limits.ts';
import type { FacetCounts } from '#shared/search.ts';
import type { CollectionHandle } from '../indexes.ts';
import { countWords } from '../search/count-words.ts';
import type { Reader } from '../search/merged-members.ts';
import { plainQuery } from '../search/query.ts';
import { titleFields } from '../suggest/document-titles.ts';
import { KeptLists } from '../suggest/kept-lists.ts';
import { stepsInTurns } from '../write/steps-in-turns.ts';
import { familyNames, knownValues, type NumberField, type Vocabulary } from './vocabulary.ts';

interface VocabulariesParts {
  registry: Reader;
  log: Log;
  /** Milliseconds that only grow. */
  now: () => number;
}

const textFieldsMax = 24;
const numberFieldsMax = 24;
/** Of the fields whose values are worth knowing. */
const valueFieldsMax = 8;
/** Looked at to know whether a field holds labels or prose. */
const samplesMax = 10;
const labelCharactersMax = 48;
const answerBytesMax = 4 * 1024 * 1024;
/** Nobody types the name of a field with a longer path. */
const pathCharactersMax = 512;
/** Each value is kept with the path of its field: of all values together so much, so that what is known can be kept. */
const pathsCharactersMax = 512 * 1024;
/** Each reading counts the values of all fields. */
const rereadAfterMs = { outdated: 30_000, anyway: 600_000 };
/** Names that are looked up in the texts. */
const namesMax = 500;
/** A name is one where so many of the documents that hold the word have it in the field. */
const nameShareMin = 0.5;

/** What the words of queries may mean, by collection: read from its documents for the first who asks, and again after a while. */
export class Vocabularies {
  readonly #registry: Reader;
  readonly #kept: KeptLists<Vocabulary>;

  constructor({ registry, log, now }: VocabulariesParts) {
    this.#registry = registry;
    this.#kept = new KeptLists({ log, now, what: 'values of fields', rereadAfterMs, bytesOf });
  }

  /** For all who ask, so that none of them can call it off. */
  of(collection: CollectionHandle): Promise<Vocabulary> {
    return this.#kept.of(collection, () => this.#read(collection));
  }

  /** Documents have changed. */
  outdate(collectionId: number): void {
    this.#kept.outdate(collectionId);
  }

  drop(collectionId: number): void {
    this.#kept.drop(collectionId);
  }

  async #read(collection: CollectionHandle): Promise<Vocabulary> {
    const all = await this.#registry.read(collection, { call: 'fields' });
    const fields = all.filter(({ path }) => path.length <= pathCharactersMax);
    const numeric = fields.filter(isNumeric).slice(0, numberFieldsMax);
    const texts = fields.filter(mayHaveLabels).slice(0, textFieldsMax);
    const samples = await this.#count(collection, [...texts, ...numeric], samplesMax);
    const stats = new Map(samples.map((facet) => [facet.field_name, facet.stats]));
    const labels = new Set(samples.filter(holdsLabels).map(({ field_name }) => field_name));
    const labelled = texts.filter(({ path }) => labels.has(path)).slice(0, valueFieldsMax);
    const facets = await this.#count(collection, labelled, valuesMaxOf(labelled));
    const documents = new Map(labelled.map(({ path, documentCount }) => [path, documentCount]));
    const values = await stepsInTurns(collection.for, knownValues(facets, documents));
    for (const { word, field, clause } of await this.#names(collection, facets))
      if (!values.has(word)) values.set(word, { field, clause });
    return { values, numbers: numeric.flatMap((field) => numberField(field, stats.get(field.path))) };
  }

  /** Words that are names wherever they stand, or nearly so. */
  async #names(collection: CollectionHandle, facets: FacetCounts[]) {
    const names = (await stepsInTurns(collection.for, familyNames(facets)))
      .sort((a, b) => b.count - a.count)
      .slice(0, namesMax);
    if (names.length === 0) return [];
    const words = names.map(({ word }) => word);
    const { holding } = await countWords(this.#registry, collection, { words, signal: undefined });
    return names.filter(({ count }, i) => count >= (holding[i] ?? 0) * nameShareMin);
  }

  /** Of a text field its most frequent values, of numbers where they begin and end. */
  async #count(collection: CollectionHandle, fields: FieldView[], valuesMax: number): Promise<FacetCounts[]> {
    if (fields.length === 0) return [];
    const facets = fields.map(({ path }) => ({ field: path, ranges: [] }));
    const query = plainQuery(undefined, { limit: 0, facets, facetValuesMax: valuesMax });
    const request = { call: 'search', query, shown: {}, bytesMax: answerBytesMax } as const;
    const { facets: told } = await this.#registry.read(collection, request).catch(noneIfTooDear);
    if (told === null) return [];
    const text = new JsonText<FacetCounts[]>(told).decode();
    return (await parseInTurns(text, () => loopTurns.next(collection.for))) as FacetCounts[];
  }
}

/** The longer the paths, the fewer: a name may have hundreds of characters. */
function valuesMaxOf(fields: FieldView[]): number {
  const characters = fields.reduce((sum, { path }) => sum + path.length, 0);
  return Math.min(limits.facetValuesMax, Math.floor(pathsCharactersMax / Math.max(1, characters)));
}

/** What takes more than a search may, is not understood. */
function noneIfTooDear(error: unknown): { facets: null } {
  if (error instanceof AppError && error.code === 'UNPROCESSABLE') return { facets: null };
  throw error;
}

function isNumeric({ types, documentCount }: FieldView): boolean {
  return documentCount > 0 && (types[0] === 'number' || types[0] === 'date');
}

function mayHaveLabels({ path, types, documentCount }: FieldView): boolean {
  return documentCount > 0 && types[0] === 'string' && !titleFields.includes(path);
}

/** Several documents share its values, and these are short. */
function holdsLabels({ counts }: FacetCounts): boolean {
  const isShared = counts.some(({ count }) => count > 1);
  return isShared && counts.every(({ value }) => value.length <= labelCharactersMax);
}

function numberField({ path, types }: FieldView, stats: FacetCounts['stats']): NumberField[] {
  const unit = types[0] === 'date' ? 'date' : 'number';
  if (unit === 'number' && !stats) return [];
  const own = path.split('.').at(-1) ?? path;
  const words = own
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(fold);
  return [{ path, words, unit, min: stats?.min ?? 0, max: stats?.max ?? 0 }];
}

function bytesOf({ values }: Vocabulary): number {
  let bytes = 0;
  for (const [phrase, { field, clause }] of values)
    bytes += 2 * (phrase.length + field.length + clause.length);
  return bytes;
}
