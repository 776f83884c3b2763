/**
 * A sample of the documents that pass a filter and have a vector, with where they lie and a value of each: what a map of them is drawn from.
 *
 * Drawn are those whose ids have the lowest hashes (a bottom-k sample: Cohen, "Size-estimation framework", 1997): uniform over the ids, the same
 * whatever batches brought the documents, and nearly the same after a change of a few. They come in the order of the hashes, so that the first
 * half of a sample is a sample again.
 *
 * Vectors come as one byte a component with a scale a row. Longer ones are folded: component i is added to i mod `componentsMax` with a sign of its
 * own, which keeps inner products on average (a count sketch: Weinberger et al., "Feature hashing", 2009). Of several passages it is the mean.
 *
 * Cost: a hash of the id of each document that passes, then the rows of those drawn.
 */
import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { SearchProgress } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { passingDocuments } from '../filter/passing-documents.ts';
import { FieldNameError } from '../names/field-name-error.ts';
import { unknownField } from '../names/unknown-field.ts';
import type { IndexParts } from '../search-parts.ts';
import { firstText, firstValue } from './first-value.ts';
import { foldVector, meanOfRows, quantize } from './small-vector.ts';

export interface SampleAsked {
  filter: string | null;
  /** Documents at most. */
  limit: number;
  /** The first of them that a document has text in names it. */
  titleFields: string[];
  /** Whose value is told; null: none. */
  colorField: string | null;
  /** Vectors with more components are folded to so many. */
  componentsMax: number;
  withVectors: boolean;
}

/** Documents that were drawn. What is told of the i-th is the i-th everywhere. */
export interface DocumentSample {
  /** Documents that pass the filter, and those of them that have a vector, which are drawn from. */
  found: number;
  withVector: number;
  ids: string[];
  titles: (string | null)[];
  /** Dates as Unix seconds. */
  values: (string | number | boolean | null)[];
  /** Whether the field has dates. */
  isDate: boolean;
  /** Of a row. */
  components: number;
  /** Row by row; a component is its byte times the scale of its row. Empty: vectors were not asked for. */
  rows: Int8Array;
  scales: Float32Array;
}

/** Units of work: to read the titles and the value of a document. */
const valueUnits = 64;
/** Components handled in a unit of work. */
const unitComponents = 2;

/** @throws FilterFaultError, FieldNameError for a field to color by that is unknown */
export function* sampleDocuments(
  parts: IndexParts,
  asked: SampleAsked,
  progress: SearchProgress,
): Steps<DocumentSample> {
  const { documents, columns } = parts;
  checkColor(asked.colorField, columns);
  progress.part = 'filter';
  const passing = yield* passingDocuments(parts, asked.filter);
  progress.part = 'ranking';
  const { ordinals, withVector } = yield* draw(parts, passing, asked.limit);
  progress.part = 'answer';
  const titleFields = asked.titleFields.flatMap((name) => columns.field(name) ?? []);
  const colorField = asked.colorField === null ? undefined : columns.field(asked.colorField);
  const sample: DocumentSample = {
    found: passing.count(),
    withVector,
    ids: [],
    titles: [],
    values: [],
    isDate: (colorField?.dates?.documentCount ?? 0) > 0,
    ...(yield* rowsOf(parts, asked, ordinals)),
  };
  for (const ordinal of ordinals) {
    sample.ids.push(documents.idOf(ordinal));
    sample.titles.push(firstText(titleFields, ordinal));
    sample.values.push(colorField === undefined ? null : firstValue(colorField, ordinal));
    if (isPauseDue(valueUnits)) yield;
  }
  return sample;
}

function checkColor(name: string | null, columns: ColumnStore): void {
  if (name === null || columns.isEmpty || columns.has(name)) return;
  throw new FieldNameError('color', unknownField(name, columns));
}

function* draw({ documents, vectors }: IndexParts, passing: Bitset, limit: number) {
  const lowest = new TopK(limit, documents.isBefore);
  let withVector = 0;
  yield* passing.visit((ordinal) => {
    if (!vectors.has(ordinal)) return;
    withVector += 1;
    lowest.offer(ordinal, -documents.idHashOf(ordinal));
  });
  const { ordinals } = yield* lowest.sorted();
  return { ordinals, withVector };
}

function* rowsOf(
  { vectors, settings: { dimension } }: IndexParts,
  { componentsMax, withVectors }: SampleAsked,
  ordinals: Int32Array,
): Steps<Pick<DocumentSample, 'components' | 'rows' | 'scales'>> {
  const components = Math.min(dimension, componentsMax);
  const count = withVectors ? ordinals.length : 0;
  const rows = new Int8Array(count * components);
  const scales = new Float32Array(count);
  for (let place = 0; place < count; place += 1) {
    const all = vectors.vectorsOf(ordinals[place] ?? 0);
    const row = foldVector(meanOfRows(all, dimension), componentsMax);
    scales[place] = quantize(row, rows, place * components);
    if (isPauseDue((all.length + dimension) / unitComponents)) yield;
  }
  return { components, rows, scales };
}
