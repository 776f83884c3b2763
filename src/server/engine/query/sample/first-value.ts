import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';

/** The first value of a document in a field, as it stands in the document; of dates their Unix seconds. Null: it has none. */
export function firstValue(field: Field, ordinal: number): string | number | boolean | null {
  const number = firstEntry(field.numbers, ordinal) ?? firstEntry(field.dates, ordinal);
  if (number !== null) return number;
  const flag = firstEntry(field.booleans, ordinal);
  if (flag !== null) return flag === 1;
  return firstText([field], ordinal);
}

/** The first text of the first of the fields that has one; a long one ends in an ellipsis. */
export function firstText(fields: Field[], ordinal: number): string | null {
  for (const { strings, dictionary } of fields) {
    const code = firstEntry(strings, ordinal);
    if (code !== null && dictionary.textOf(code) !== '') return dictionary.labelOf(code);
  }
  return null;
}

function firstEntry(list: EntryList | null, ordinal: number): number | null {
  if (list === null) return null;
  const place = list.start(ordinal);
  return list.isOf(ordinal, place) ? (list.values[place] ?? 0) : null;
}
