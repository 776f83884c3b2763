/** The values of one document as columns take them, by field: for whoever keeps columns elsewhere, so that filters, orders and facets say the same. */
import type { Steps } from '../../steps.ts';
import type { FieldType } from '../../types.ts';
import type { Point } from '../geo/point.ts';
import { ColumnStore } from './column-store.ts';
import type { EntryList } from './entry-list.ts';

/** Each value once. */
export interface TypedValues {
  path: string;
  /** The declared one first. */
  types: FieldType[];
  isDeclaredDate: boolean;
  /** Of a long text only the beginning. */
  strings: { text: string; label: string; folded: string; isLong: boolean }[];
  numbers: number[];
  booleans: boolean[];
  /** Unix seconds. */
  dates: number[];
  points: Point[];
}

export function* typedValues(
  document: Record<string, unknown>,
  declared: { name: string; type: FieldType }[],
): Steps<TypedValues[]> {
  const store = new ColumnStore(declared);
  yield* store.add(0, document);
  return store.fields().flatMap(({ path, types, documentCount }): TypedValues[] => {
    const field = store.field(path);
    if (field === undefined || documentCount === 0) return [];
    const { dictionary } = field;
    const longitudes = valuesOf(field.longitudes);
    return [
      {
        path,
        types: types.filter((type) => type !== field.declared || hasType(field, type)),
        isDeclaredDate: field.declared === 'date',
        strings: valuesOf(field.strings).map((code) => ({
          text: dictionary.textOf(code),
          label: dictionary.labelOf(code),
          folded: dictionary.foldedOf(code),
          isLong: dictionary.isLong(code),
        })),
        numbers: valuesOf(field.numbers),
        booleans: valuesOf(field.booleans).map((value) => value === 1),
        dates: valuesOf(field.dates),
        points: valuesOf(field.latitudes).map((lat, i) => ({ lat, lng: longitudes[i] ?? 0 })),
      },
    ];
  });
}

type Columns = NonNullable<ReturnType<ColumnStore['field']>>;

/** A declared type stands among a field's even where no document has it. */
function hasType({ strings, numbers, booleans, dates, latitudes }: Columns, type: FieldType): boolean {
  const list = { string: strings, number: numbers, boolean: booleans, date: dates, geopoint: latitudes }[
    type
  ];
  return list !== null;
}

function valuesOf(list: EntryList | null): number[] {
  return list === null ? [] : Array.from(list.values.subarray(list.start(0), list.end(0)));
}
