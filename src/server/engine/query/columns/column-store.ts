import { Bitset } from '../../bits/bitset.ts';
import { type Scalar, walkDocument } from '../../documents/walk-document.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import type { Steps } from '../../steps.ts';
import type { FieldType, FieldView } from '../../types.ts';
import { pointsAt } from '../geo/points-at.ts';
import {
  addPoints,
  addValue,
  copyField,
  countsByType,
  decodeField,
  dropFrom,
  dropRemoved,
  emptyField,
  encodeField,
  entryListsOf,
  type Field,
  hasRoomFor,
  removeOrdinal,
  reserveValues,
  typesOfField,
} from './field.ts';

const pathCharactersMax = 512;

/**
 * What filters, sorting and facets read: for each field, by dotted path, its values in typed columns. Types are inferred on first
 * sight; a field seen with several types has a column for each. Arrays are multi-valued, objects are addressed by path, arrays of
 * objects are both. A value that stands twice in one document counts once.
 *
 * - string: every text, dictionary-coded (of long ones the beginning only) · number: finite numbers · boolean
 * - date: Unix seconds, from numbers and ISO 8601 texts where the field is declared a date, from whole ISO 8601 dates where it is not
 *   declared at all; such a text is in the string column as well
 * - point: latitude and longitude, of fields that are declared so; `at.lat` and `at.lng` of a point `at` are no fields of their own
 *
 * Invariants: `id` at the top and `embedding` at the top are no columns; at most `ColumnStore.fieldsMax` fields (later ones are not
 * indexed); a removed document's values may still be in the columns, so that every reader masks with the live set or `isRemoved`.
 * Adding costs O(values), removing O(fields · log n).
 */
export class ColumnStore {
  static readonly fieldsMax = 1_000;

  readonly #fields = new Map<string, Field>();
  /** Those that are declared as points, and the paths of their coordinates. */
  readonly #points: Field[] = [];
  readonly #coordinates = new Set<string>();
  #removed = new Bitset(0);
  #end = 0;
  /** Values of removed documents are kept meanwhile, as `compacted` needs it. */
  isCopied = false;

  constructor(declared: { name: string; type: FieldType }[]) {
    for (const { name, type } of declared) {
      if (name === 'id' || name === 'embedding') continue;
      const field = emptyField(name, type);
      this.#fields.set(name, field);
      if (type !== 'geopoint') continue;
      this.#points.push(field);
      this.#coordinates.add(`${name}.lat`).add(`${name}.lng`);
    }
  }

  /** One more than the highest ordinal ever added. */
  get end(): number {
    return this.#end;
  }

  /** Whether there is no document: then only declared fields are known. */
  get isEmpty(): boolean {
    return this.#removed.count() === this.#end;
  }

  /** Whether further fields get no columns. */
  get isFull(): boolean {
    return this.#fields.size >= ColumnStore.fieldsMax;
  }

  get memoryBytes(): number {
    let bytes = this.#removed.words.byteLength;
    for (const field of this.#fields.values()) {
      bytes += field.dictionary.memoryBytes;
      for (const list of entryListsOf(field)) bytes += list.memoryBytes;
    }
    return bytes;
  }

  /** Takes a document's values in; ordinals must ascend. Until all steps are done the document is half there. */
  *add(ordinal: number, document: Record<string, unknown>): Steps<void> {
    this.#end = ordinal + 1;
    let units = 0;
    for (const [path, values] of yield* valuesByField(document)) {
      const field = this.#fieldFor(path);
      if (field === null || field.declared === 'geopoint') continue;
      const [only] = values;
      if (values.length === 1 && only !== undefined && hasRoomFor(field, 1)) addValue(field, ordinal, only);
      else yield* addValues(field, ordinal, values);
      field.documentCount++;
      units += values.length;
      if (units < addedMax) continue;
      units = 0;
      yield;
    }
    for (const field of this.#points) {
      const points = yield* pointsAt(document, field.path);
      if (points.length === 0) continue;
      yield* addPoints(field, ordinal, points);
      field.documentCount++;
    }
  }

  *remove(ordinal: number): Steps<void> {
    if (ordinal >= this.#end || this.#removed.has(ordinal)) return;
    this.#removed.add(ordinal);
    for (const field of this.#fields.values())
      for (const list of removeOrdinal(field, ordinal))
        if (!this.isCopied) yield* dropFrom(field, list, this.#removed);
  }

  /**
   * The documents that get new ordinals (−1: it gets none), which must keep their order; what none of them has is forgotten. While `isCopied` documents may come and go between
   * two steps: later ones are none of these, and one that went may still be among them.
   */
  *compacted(
    ordinals: Int32Array,
    end: number,
    declared: { name: string; type: FieldType }[],
  ): Steps<ColumnStore> {
    const store = new ColumnStore(declared);
    store.#end = end;
    for (const field of [...this.#fields.values()]) {
      const copy = store.#fields.get(field.path) ?? emptyField(field.path, null);
      yield* copyField(field, ordinals, copy);
      if (copy.documentCount > 0) store.#fields.set(field.path, copy);
    }
    return store;
  }

  isRemoved(ordinal: number): boolean {
    return this.#removed.has(ordinal);
  }

  field(path: string): Field | undefined {
    return this.#fields.get(path);
  }

  /** Whether it is declared, or documents have it. */
  has(path: string): boolean {
    const field = this.#fields.get(path);
    return field !== undefined && (field.declared !== null || field.documentCount > 0);
  }

  /** Fields inside the object at `path`. */
  fieldsBelow(path: string): Field[] {
    return [...this.#fields.values()].filter((field) => field.path.startsWith(`${path}.`));
  }

  /** Types that documents have at a path, the declared one first; empty: no such field. */
  typesOf(path: string): FieldType[] {
    const field = this.#fields.get(path);
    return field === undefined ? [] : typesOfField(field);
  }

  /** Declared fields in their order, then the others that documents have, in the order of first sight. */
  fields(): FieldView[] {
    return [...this.#fields.values()]
      .filter((field) => field.declared !== null || field.documentCount > 0)
      .map((field) => ({
        path: field.path,
        types: typesOfField(field),
        counts: countsByType(field),
        isDeclared: field.declared !== null,
        documentCount: field.documentCount,
      }));
  }

  /** Removed documents are left out, here too. */
  *encode(writer: SectionWriter): Steps<void> {
    for (const field of this.#fields.values()) yield* dropRemoved(field, this.#removed);
    const fields = [...this.#fields.values()].filter((field) => field.documentCount > 0);
    writer.number(this.#end);
    writer.array(this.#removed.words.subarray(0, (this.#end + 31) >>> 5));
    writer.number(fields.length);
    for (const field of fields) yield* encodeField(field, writer);
  }

  static *decode(reader: SectionReader, declared: { name: string; type: FieldType }[]): Steps<ColumnStore> {
    const store = new ColumnStore(declared);
    store.#end = yield* reader.number();
    const removed = yield* reader.uint32();
    store.#removed = new Bitset(removed.length << 5);
    store.#removed.words.set(removed);
    const count = yield* reader.number();
    for (let i = 0; i < count; i += 1) {
      const field = store.#fieldFor(yield* reader.text());
      if (field === null) throw new RangeError(`more than ${ColumnStore.fieldsMax} fields`);
      yield* decodeField(field, reader);
      yield;
    }
    return store;
  }

  #fieldFor(path: string): Field | null {
    const known = this.#fields.get(path);
    if (known !== undefined) return known;
    if (this.#fields.size >= ColumnStore.fieldsMax || this.#coordinates.has(path)) return null;
    const field = emptyField(path, null);
    this.#fields.set(path, field);
    return field;
  }
}

/** Values that are added without a pause: a text is folded, so that its spellings are found together. */
const addedMax = 256;

/** Each once. */
function* addValues(field: Field, ordinal: number, values: Scalar[]): Steps<void> {
  const added = new Set<Scalar>();
  for (const [i, value] of values.entries()) {
    if (i % addedMax === 0) yield* reserveValues(field, Math.min(addedMax, values.length - i));
    if (!added.has(value)) addValue(field, ordinal, value);
    added.add(value);
    if ((i + 1) % addedMax === 0) yield;
  }
}

/** The values of each field by path; those that no column takes are left out. */
function* valuesByField(document: Record<string, unknown>): Steps<Map<string, Scalar[]>> {
  const byField = new Map<string, Scalar[]>();
  yield* walkDocument(document, (path, value) => {
    if (path.length > pathCharactersMax || (typeof value === 'number' && !Number.isFinite(value))) return;
    // −0 is 0: as a set element, as a facet value and in a snapshot.
    const scalar = value === 0 ? 0 : value;
    const values = byField.get(path);
    if (values === undefined) byField.set(path, [scalar]);
    else values.push(scalar);
  });
  return byField;
}
