/**
 * What documents have in a field, as a number: equal ones have the same values, whatever their order. Values are those that facets count:
 * a text by its spelling (a long one by its beginning), a declared date as it was written or as its Unix seconds. 0: the document has none.
 * A value that stands alone costs a look in a map; several are looked up as a row of numbers.
 */

import { withRoom } from '../../memory/with-room.ts';
import { parseDate } from '../columns/calendar.ts';
import { EntryCursor } from '../columns/entry-cursor.ts';
import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';
import type { GroupValue } from './grouping.ts';
import { ValueSets } from './value-sets.ts';

interface KeyedList {
  cursor: EntryCursor;
  toValue: (value: number) => GroupValue;
  /** Keys of documents with one value alone, which is in this column. */
  keys: Map<number, number>;
}

/** In place of a key: it takes longer to tell. */
export const several = -1;

/** Fastest where documents are asked for in ascending order. */
export class FieldKeys {
  readonly #field: Field;
  readonly #lists: KeyedList[];
  readonly #sets = new ValueSets();
  /** By the numbers of the sets. */
  #keysOfSets = new Int32Array(8);
  /** Of one document: how many values it has in each column, and these. */
  #row = new Float64Array(16);
  #count = 0;

  constructor(field: Field) {
    this.#field = field;
    this.#lists = keyedLists(field);
  }

  /** The highest key there is. */
  get count(): number {
    return this.#count;
  }

  /** `several`: the document has more than one value. */
  keyOf(ordinal: number): number {
    let only: KeyedList | null = null;
    for (const each of this.#lists) {
      const { cursor } = each;
      cursor.moveTo(ordinal);
      const count = cursor.end - cursor.start;
      if (count === 0) continue;
      if (only !== null || count > 1) return several;
      only = each;
    }
    return only === null ? 0 : this.#keyOfValue(only, only.cursor.list.values[only.cursor.start] ?? 0);
  }

  /** How many values a document has here, about. */
  countOf(ordinal: number): number {
    let count = 0;
    for (const { cursor } of this.#lists) {
      cursor.moveTo(ordinal);
      count += cursor.end - cursor.start;
    }
    return count;
  }

  keyOfSeveral(ordinal: number): number {
    let [size, values, last] = [0, 0, 0];
    let holder: KeyedList | undefined;
    for (const each of this.#lists) {
      const count = this.#readInto(size + 1, each, ordinal);
      this.#row[size] = count;
      size += 1 + count;
      if (count === 0) continue;
      values += count;
      holder = each;
      last = this.#row[size - 1] ?? 0;
    }
    // A declared date that is written as text is in two columns and one value.
    if (values === 1 && holder !== undefined) return this.#keyOfValue(holder, last);
    const set = this.#sets.numberOf(this.#row, size);
    this.#keysOfSets = withRoom(this.#keysOfSets, set + 1);
    const known = this.#keysOfSets[set] ?? 0;
    if (known !== 0) return known;
    this.#count += 1;
    this.#keysOfSets[set] = this.#count;
    return this.#count;
  }

  #keyOfValue({ keys }: KeyedList, value: number): number {
    const known = keys.get(value);
    if (known !== undefined) return known;
    this.#count += 1;
    keys.set(value, this.#count);
    return this.#count;
  }

  /** Writes a document's values into the row, in order. @returns how many */
  #readInto(at: number, { cursor }: KeyedList, ordinal: number): number {
    const { list } = cursor;
    cursor.moveTo(ordinal);
    const own = list === this.#field.dates ? this.#ownValues(cursor, ordinal) : null;
    const count = own?.length ?? cursor.end - cursor.start;
    this.#row = withRoom(this.#row, at + count);
    for (let i = 0; i < count; i += 1)
      this.#row[at + i] = (own === null ? list.values[cursor.start + i] : own[i]) ?? 0;
    this.#row.subarray(at, at + count).sort();
    return count;
  }

  /** Null: it has none; the value, or several in the order of their types and then their own. */
  valuesOf(ordinal: number): GroupValue | GroupValue[] | null {
    const values = this.#lists.flatMap(({ cursor, toValue }) =>
      this.#ownValues(cursor, ordinal).map(toValue).sort(compareValues),
    );
    const [first = null] = values;
    return values.length > 1 ? values : first;
  }

  /** Without dates that were written as text: these are in the text column. */
  #ownValues(cursor: EntryCursor, ordinal: number): number[] {
    const { list } = cursor;
    cursor.moveTo(ordinal);
    const values = Array.from(list.values.subarray(cursor.start, cursor.end), Number);
    const { dates, strings, dictionary } = this.#field;
    if (list !== dates || strings === null) return values;
    const codes = strings.values.subarray(strings.start(ordinal), strings.end(ordinal));
    const written = new Set(Array.from(codes, (code) => parseDate(dictionary.labelOf(code))));
    return values.filter((seconds) => !written.has(seconds));
  }
}

function keyedLists({ numbers, booleans, dates, strings, dictionary, declared }: Field): KeyedList[] {
  const lists: { list: EntryList; toValue: KeyedList['toValue'] }[] = [];
  if (strings !== null) lists.push({ list: strings, toValue: (code) => dictionary.labelOf(code) });
  if (numbers !== null) lists.push({ list: numbers, toValue: Number });
  if (booleans !== null) lists.push({ list: booleans, toValue: (value) => value === 1 });
  if (dates !== null && declared === 'date') lists.push({ list: dates, toValue: Number });
  return lists.map(({ list, toValue }) => ({ cursor: new EntryCursor(list), toValue, keys: new Map() }));
}

/** Of one type; texts by code unit. */
function compareValues(a: GroupValue, b: GroupValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
