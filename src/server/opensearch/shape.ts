import { type Analyzer, SearchIndex } from '#server/engine/search-index.ts';
import { runSteps, type Steps } from '#server/engine/steps.ts';
import type { FieldType, FieldView, IndexedDocument, Metric, SearchQuery } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';

/** Which fields and types of values the documents of an index have. */
export interface KnownShape {
  shape: Shape;
  kinds: ReadonlySet<string>;
  /** The number of the last change of the index that it knows of. */
  change: number;
  /** Of the record then. */
  documentCount: number;
  /** All documents were counted for it. */
  isCounted: boolean;
  /** When all were last, by `performance.now()`. */
  countedAt: number;
}

/** How many documents have a field, and a value of a type: `kinds` of an index. */
export type KindCounts = { key: string; doc_count: number }[];

const typeOf: Record<string, FieldType> = {
  s: 'string',
  n: 'number',
  b: 'boolean',
  d: 'date',
  g: 'geopoint',
};

interface ShapeSettings {
  declared: { name: string; type: FieldType }[];
  analyzer: Analyzer;
}

/** A value of each type, by which the embedded engine knows that a field has it. */
const values: Record<FieldType, unknown> = {
  string: 'a text',
  number: 1,
  boolean: true,
  date: '2000-01-01',
  geopoint: { lat: 0, lng: 0 },
};

/**
 * Which fields a collection has, and what a search may ask of them: an embedded index of documents that have a value of each type of each field
 * says it, so that it is the same and in the same words.
 */
export class Shape {
  readonly fields: ReadonlyMap<string, FieldView>;
  readonly #index: SearchIndex;
  readonly #settings: ShapeSettings;

  private constructor(fields: ReadonlyMap<string, FieldView>, index: SearchIndex, settings: ShapeSettings) {
    this.fields = fields;
    this.#index = index;
    this.#settings = settings;
  }

  static *steps(kinds: KindCounts, settings: ShapeSettings): Steps<Shape> {
    const fields = viewsOf(kinds, settings.declared);
    const index = yield* indexSteps(fields, settings, { documents: [], dimension: 1, metric: 'cosine' });
    return new Shape(fields, index, settings);
  }

  /** An embedded index of these documents that knows all fields. */
  indexWith(
    documents: IndexedDocument[],
    { dimension, metric }: { dimension: number; metric: Metric },
  ): SearchIndex {
    return runSteps(this.indexSteps(documents, { dimension, metric }));
  }

  indexSteps(
    documents: IndexedDocument[],
    { dimension, metric }: { dimension: number; metric: Metric },
  ): Steps<SearchIndex> {
    return indexSteps(this.fields, this.#settings, { documents, dimension, metric });
  }

  /** @throws FieldNameError, FilterFaultError */
  check(query: SearchQuery): void {
    this.#index.check(query);
  }
}

function* indexSteps(
  fields: ReadonlyMap<string, FieldView>,
  { declared, analyzer }: ShapeSettings,
  { documents, dimension, metric }: { documents: IndexedDocument[]; dimension: number; metric: Metric },
): Steps<SearchIndex> {
  const index = SearchIndex.create({ dimension, metric, fields: declared, analyzer });
  const puts = [...documents];
  for (const { path, counts } of fields.values()) {
    for (const { type, documentCount } of counts) {
      if (documentCount === 0) continue;
      // No document has such an id.
      const id = `${'-'.repeat(limits.documentIdBytesMax)}${puts.length}`;
      const source = JSON.stringify({ id, [path]: values[type] });
      puts.push({ id, source, vectors: new Float32Array(0), spans: new Int32Array(0) });
    }
  }
  yield* index.applySteps({ version: 1, puts, deletes: [] });
  return index;
}

function viewsOf(kinds: KindCounts, declared: { name: string; type: FieldType }[]): Map<string, FieldView> {
  const counts = new Map<string, Map<FieldType, number>>();
  const documents = new Map<string, number>();
  const declaredTypes = new Map(declared.map(({ name, type }) => [name, type]));
  for (const { name, type } of declared)
    if (name !== 'id' && name !== 'embedding') counts.set(name, new Map([[type, 0]]));
  for (const { key, doc_count } of kinds.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const path = key.slice(1);
    const byType = counts.get(path) ?? new Map<FieldType, number>();
    counts.set(path, byType);
    const type = typeOf[key.slice(0, 1)];
    if (type === undefined) documents.set(path, doc_count);
    else byType.set(type, doc_count);
  }
  return new Map(
    Array.from(counts, ([path, byType]) => [
      path,
      {
        path,
        types: inOrder([...byType.keys()], declaredTypes.get(path)),
        counts: inOrder([...byType.keys()], declaredTypes.get(path)).map((type) => ({
          type,
          documentCount: byType.get(type) ?? 0,
        })),
        isDeclared: declaredTypes.has(path),
        documentCount: documents.get(path) ?? 0,
      },
    ]),
  );
}

/** As the embedded engine has them. */
const order: FieldType[] = ['geopoint', 'date', 'string', 'number', 'boolean'];

function inOrder(types: FieldType[], declared: FieldType | undefined): FieldType[] {
  const sorted = order.filter((type) => types.includes(type));
  return declared === undefined ? sorted : [declared, ...sorted.filter((type) => type !== declared)];
}
