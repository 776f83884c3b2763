/**
 * What documents have in a field, as a number: equal ones have the same values, whatever their order. Values are those that facets count:
 * a text by its spelling (a long one by its beginning), a declared date as it was written or as its Unix seconds. 0: the document has none.
 * A value that stands alone costs a look in a map; several are looked up as a text.
 */
import { parseDate } from '../columns/calendar.ts';
import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';
import type { GroupValue } from './grouping.ts';

interface KeyedList {
  list: EntryList;
  toValue: (value: number) => GroupValue;
  /** Keys of documents with one value alone, which is in this column. */
  keys: Map<number, number>;
}

/** In place of a key: it takes longer to tell. */
export const several = -1;

export class FieldKeys {
  readonly #field: Field;
  readonly #lists: KeyedList[];
  readonly #keysOfSeveral = new Map<string, number>();
  #count = 0;

  constructor(field: Field) {
    this.#field = field;
    this.#lists = keyedLists(field);
  }

  /** `several`: the document has more than one value. */
  keyOf(ordinal: number): number {
    let only: KeyedList | null = null;
    let entry = 0;
    for (const each of this.#lists) {
      const start = each.list.start(ordinal);
      const end = each.list.end(ordinal);
      if (end === start) continue;
      if (only !== null || end - start > 1) return several;
      only = each;
      entry = start;
    }
    if (only === null) return 0;
    const value = only.list.values[entry] ?? 0;
    const known = only.keys.get(value);
    if (known !== undefined) return known;
    this.#count += 1;
    only.keys.set(value, this.#count);
    return this.#count;
  }

  /** How many values a document has here, about. */
  countOf(ordinal: number): number {
    return this.#lists.reduce((sum, { list }) => sum + list.end(ordinal) - list.start(ordinal), 0);
  }

  keyOfSeveral(ordinal: number): number {
    const parts = this.#lists.map(({ list }) =>
      this.#ownValues(list, ordinal)
        .sort((a, b) => a - b)
        .join(),
    );
    const text = parts.join(' ');
    const known = this.#keysOfSeveral.get(text);
    if (known !== undefined) return known;
    const key = this.#singleKey(ordinal) ?? this.#count + 1;
    if (key > this.#count) this.#count = key;
    this.#keysOfSeveral.set(text, key);
    return key;
  }

  /** Null: it has none; the value, or several in the order of their types and then their own. */
  valuesOf(ordinal: number): GroupValue | GroupValue[] | null {
    const values = this.#lists.flatMap(({ list, toValue }) =>
      this.#ownValues(list, ordinal).map(toValue).sort(compareValues),
    );
    const [first = null] = values;
    return values.length > 1 ? values : first;
  }

  /** A declared date that is written as text is in two columns and one value. */
  #singleKey(ordinal: number): number | null {
    const held = this.#lists.map((each) => ({ each, values: this.#ownValues(each.list, ordinal) }));
    const [first, ...others] = held.filter(({ values }) => values.length > 0);
    const [value, ...more] = first?.values ?? [];
    if (first === undefined || value === undefined || others.length + more.length > 0) return null;
    const { keys } = first.each;
    const key = keys.get(value) ?? this.#count + 1;
    keys.set(value, key);
    return key;
  }

  /** Without dates that were written as text: these are in the text column. */
  #ownValues(list: EntryList, ordinal: number): number[] {
    const values = Array.from(list.values.subarray(list.start(ordinal), list.end(ordinal)), Number);
    const { dates, strings, dictionary } = this.#field;
    if (list !== dates || strings === null) return values;
    const codes = strings.values.subarray(strings.start(ordinal), strings.end(ordinal));
    const written = new Set(Array.from(codes, (code) => parseDate(dictionary.labelOf(code))));
    return values.filter((seconds) => !written.has(seconds));
  }
}

function keyedLists({ numbers, booleans, dates, strings, dictionary, declared }: Field): KeyedList[] {
  const lists: Omit<KeyedList, 'keys'>[] = [];
  if (strings !== null) lists.push({ list: strings, toValue: (code) => dictionary.labelOf(code) });
  if (numbers !== null) lists.push({ list: numbers, toValue: Number });
  if (booleans !== null) lists.push({ list: booleans, toValue: (value) => value === 1 });
  if (dates !== null && declared === 'date') lists.push({ list: dates, toValue: Number });
  return lists.map((each) => ({ ...each, keys: new Map() }));
}

/** Of one type; texts by code unit. */
function compareValues(a: GroupValue, b: GroupValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
