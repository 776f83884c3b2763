import { Bitset } from '../../bits/bitset.ts';
import { type Scalar, walkDocument } from '../../documents/walk-document.ts';
import type { FieldType, FieldView } from '../../types.ts';
import { parseDate } from './calendar.ts';
import { decodeColumns, encodeColumns } from './columns-codec.ts';
import { Dictionary } from './dictionary.ts';
import { EntryList } from './entries.ts';

/**
 * What filters, sorting and facets read: for each field, by dotted path, its values in typed columns. Types are inferred on first
 * sight; a field seen with several types has a column for each. Arrays are multi-valued, objects are addressed by path, arrays of
 * objects are both. A value that stands twice in one document counts once.
 *
 * - string: every text, dictionary-coded (of long ones the beginning only) · number: finite numbers · boolean
 * - date: Unix seconds, from numbers and ISO 8601 texts where the field is declared a date, from whole ISO 8601 dates where it is not
 *   declared at all; such a text is in the string column as well
 *
 * Invariants: `id` at the top and `embedding` at the top are no columns; at most `ColumnStore.fieldsMax` fields (later ones are not
 * indexed); a removed document's values may still be in the columns, so that every reader masks with the live set or `isRemoved`.
 * Adding costs O(values), removing O(fields · log n).
 */
export interface Field {
  readonly path: string;
  readonly declared: FieldType | null;
  /** Documents that have the field now. */
  documentCount: number;
  numbers: EntryList | null;
  /** 0 and 1. */
  booleans: EntryList | null;
  /** Unix seconds. */
  dates: EntryList | null;
  /** Codes of `dictionary`. */
  strings: EntryList | null;
  dictionary: Dictionary;
}

export const entryListsOf = (field: Field): EntryList[] =>
  [field.numbers, field.booleans, field.dates, field.strings].filter((list) => list !== null);

const pathCharactersMax = 512;

export class ColumnStore {
  static readonly fieldsMax = 1_000;

  readonly #fields = new Map<string, Field>();
  #removed = new Bitset(0);
  #end = 0;

  constructor(declared: { name: string; type: FieldType }[]) {
    for (const { name, type } of declared) {
      if (name !== 'id' && name !== 'embedding') this.#fields.set(name, emptyField(name, type));
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

  get memoryBytes(): number {
    let bytes = this.#removed.words.byteLength;
    for (const field of this.#fields.values()) {
      bytes += field.dictionary.memoryBytes;
      for (const list of entryListsOf(field)) bytes += list.memoryBytes;
    }
    return bytes;
  }

  /** Takes a document's values in; `ordinal` is usually the next one, a used one is replaced. */
  add(ordinal: number, document: Record<string, unknown>): void {
    if (ordinal < this.#end) this.#forget(ordinal);
    this.#end = Math.max(this.#end, ordinal + 1);
    for (const [path, values] of valuesByField(document)) {
      const field = this.#fieldFor(path);
      if (field === null) continue;
      for (const value of values.length === 1 ? values : new Set(values)) addValue(field, ordinal, value);
      field.documentCount++;
    }
  }

  remove(ordinal: number): void {
    if (ordinal >= this.#end || this.#removed.has(ordinal)) return;
    this.#removed.add(ordinal);
    for (const field of this.#fields.values()) {
      const lists = entryListsOf(field).filter((list) => list.has(ordinal));
      if (lists.length > 0) field.documentCount--;
      for (const list of lists) {
        if (list.bury(ordinal)) compact(field, list, this.#removed);
      }
    }
  }

  /** Drops removed documents and gives the others new ordinals, which must keep their order; what nobody has any more is forgotten. */
  renumber(ordinals: Int32Array, end: number): void {
    for (const field of this.#fields.values()) {
      for (const list of entryListsOf(field)) {
        compact(field, list, this.#removed);
        list.renumber(ordinals);
      }
      for (const kind of ['numbers', 'booleans', 'dates', 'strings'] as const)
        if (field[kind]?.size === 0) field[kind] = null;
      if (field.documentCount === 0 && field.declared === null) this.#fields.delete(field.path);
    }
    this.#removed = new Bitset(0);
    this.#end = end;
  }

  isRemoved(ordinal: number): boolean {
    return this.#removed.has(ordinal);
  }

  field(path: string): Field | undefined {
    return this.#fields.get(path);
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
        isDeclared: field.declared !== null,
        documentCount: field.documentCount,
      }));
  }

  /** The columns as bytes, removed documents left out; `decode` reads them back. */
  encode(): Uint8Array {
    for (const field of this.#fields.values()) {
      for (const list of entryListsOf(field)) compact(field, list, this.#removed);
    }
    return encodeColumns({ end: this.#end, removed: this.#removed, fields: [...this.#fields.values()] });
  }

  /** @throws RangeError when the bytes are not what `encode` wrote. */
  static decode(bytes: Uint8Array, declared: { name: string; type: FieldType }[]): ColumnStore {
    const image = decodeColumns(bytes);
    const store = new ColumnStore(declared);
    store.#end = image.end;
    store.#removed = image.removed;
    for (const { path, ...columns } of image.fields) {
      const field = store.#fieldFor(path) ?? refuse(`more than ${ColumnStore.fieldsMax} fields`);
      if (field.documentCount > 0) refuse(`the field ${path} is there twice`);
      Object.assign(field, columns);
    }
    return store;
  }

  #fieldFor(path: string): Field | null {
    const known = this.#fields.get(path);
    if (known !== undefined) return known;
    if (this.#fields.size >= ColumnStore.fieldsMax) return null;
    const field = emptyField(path, null);
    this.#fields.set(path, field);
    return field;
  }

  /** Makes an ordinal as good as new. */
  #forget(ordinal: number): void {
    this.remove(ordinal);
    const one = new Bitset(ordinal + 1);
    one.add(ordinal);
    for (const field of this.#fields.values()) {
      for (const list of entryListsOf(field)) if (list.has(ordinal)) list.compact(one);
    }
    this.#removed.remove(ordinal);
  }
}

function refuse(why: string): never {
  throw new RangeError(`malformed columns: ${why}`);
}

function emptyField(path: string, declared: FieldType | null): Field {
  const nothing = { numbers: null, booleans: null, dates: null, strings: null };
  return { path, declared, documentCount: 0, ...nothing, dictionary: new Dictionary() };
}

function typesOfField(field: Field): FieldType[] {
  const types = new Set<FieldType>(field.declared === null ? [] : [field.declared]);
  if (field.dates?.hasLive) types.add('date');
  // A declared date keeps its texts for facets only: the field is a date.
  if (field.strings?.hasLive && field.declared !== 'date') types.add('string');
  if (field.numbers?.hasLive) types.add('number');
  if (field.booleans?.hasLive) types.add('boolean');
  return [...types];
}

/** The values of each field by path; those that no column takes are left out. */
function valuesByField(document: Record<string, unknown>): Map<string, Scalar[]> {
  const byField = new Map<string, Scalar[]>();
  walkDocument(document, (path, value) => {
    if (path.length > pathCharactersMax || (typeof value === 'number' && !Number.isFinite(value))) return;
    // −0 is 0: as a set element, as a facet value and in a snapshot.
    const scalar = value === 0 ? 0 : value;
    const values = byField.get(path);
    if (values === undefined) byField.set(path, [scalar]);
    else values.push(scalar);
  });
  return byField;
}

function addValue(field: Field, ordinal: number, value: Scalar): void {
  if (typeof value === 'boolean') {
    field.booleans ??= new EntryList(new Uint8Array(0));
    field.booleans.add(ordinal, value ? 1 : 0);
  } else if (typeof value === 'number') {
    if (field.declared === 'date') addDate(field, ordinal, value);
    else {
      field.numbers ??= new EntryList(new Float64Array(0));
      field.numbers.add(ordinal, value);
    }
  } else {
    field.strings ??= new EntryList(new Uint32Array(0));
    field.strings.add(ordinal, field.dictionary.intern(value));
    const seconds = field.declared === null || field.declared === 'date' ? parseDate(value) : null;
    if (seconds !== null) addDate(field, ordinal, seconds);
  }
}

function addDate(field: Field, ordinal: number, seconds: number): void {
  field.dates ??= new EntryList(new Float64Array(0));
  field.dates.add(ordinal, seconds);
}

function compact(field: Field, list: EntryList, removed: Bitset): void {
  list.compact(removed);
  if (list !== field.strings) return;
  const used = new Bitset(field.dictionary.size);
  for (let place = 0; place < list.size; place++) used.add(list.values[place] ?? 0);
  if (used.count() === field.dictionary.size) return;
  // Texts that nobody has any more leave with their documents.
  const dictionary = new Dictionary();
  const recoded = new Int32Array(field.dictionary.size).fill(-1);
  for (let place = 0; place < list.size; place++) {
    const code = list.values[place] ?? 0;
    if ((recoded[code] ?? -1) < 0) {
      const isLong = field.dictionary.isLong(code);
      recoded[code] = dictionary.internPart(field.dictionary.textOf(code), isLong);
    }
    list.values[place] = recoded[code] ?? 0;
  }
  field.dictionary = dictionary;
}
