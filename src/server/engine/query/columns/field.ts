import { Bitset } from '../../bits/bitset.ts';
import type { Scalar } from '../../documents/walk-document.ts';
import { fillSteps } from '../../memory/fill-steps.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { FieldType } from '../../types.ts';
import type { Point } from '../geo/point.ts';
import { parseDate } from './calendar.ts';
import { Dictionary } from './dictionary.ts';
import { EntryList } from './entry-list.ts';

/** The columns of one field, one for each type that its values have. */
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
  /** Of points, each at the same place in both. */
  latitudes: EntryList | null;
  longitudes: EntryList | null;
  dictionary: Dictionary;
}

/** The kinds of columns, in the order in which they are stored. */
const kinds = ['numbers', 'booleans', 'dates', 'strings', 'latitudes', 'longitudes'] as const;

const emptyList: Record<(typeof kinds)[number], () => EntryList> = {
  numbers: () => new EntryList(new Float64Array(0)),
  booleans: () => new EntryList(new Uint8Array(0)),
  dates: () => new EntryList(new Float64Array(0)),
  strings: () => new EntryList(new Uint32Array(0)),
  latitudes: () => new EntryList(new Float64Array(0)),
  longitudes: () => new EntryList(new Float64Array(0)),
};

export const entryListsOf = (field: Field): EntryList[] =>
  kinds.map((kind) => field[kind]).filter((list) => list !== null);

export function emptyField(path: string, declared: FieldType | null): Field {
  const nothing = { numbers: null, booleans: null, dates: null, strings: null };
  const noPoints = { latitudes: null, longitudes: null };
  return { path, declared, documentCount: 0, ...nothing, ...noPoints, dictionary: new Dictionary() };
}

/** Types that documents have, the declared one first. */
export function typesOfField(field: Field): FieldType[] {
  return countsByType(field).map(({ type }) => type);
}

/** How many documents have a value of each type, the declared one first. One with values of several types counts for each. */
export function countsByType(field: Field): { type: FieldType; documentCount: number }[] {
  const counts = new Map<FieldType, number>(field.declared === null ? [] : [[field.declared, 0]]);
  const add = (type: FieldType, list: EntryList | null) => {
    if (list !== null && list.documentCount > 0) counts.set(type, list.documentCount);
  };
  add('geopoint', field.latitudes);
  add('date', field.dates);
  // A declared date keeps its texts for facets only: the field is a date.
  if (field.declared !== 'date') add('string', field.strings);
  add('number', field.numbers);
  add('boolean', field.booleans);
  return [...counts].map(([type, documentCount]) => ({ type, documentCount }));
}

export function addValue(field: Field, ordinal: number, value: Scalar): void {
  if (typeof value === 'boolean') {
    field.booleans ??= emptyList.booleans();
    field.booleans.add(ordinal, value ? 1 : 0);
  } else if (typeof value === 'number') {
    if (field.declared === 'date') addDate(field, ordinal, value);
    else {
      field.numbers ??= emptyList.numbers();
      field.numbers.add(ordinal, value);
    }
  } else {
    field.strings ??= emptyList.strings();
    field.strings.add(ordinal, field.dictionary.intern(value));
    const seconds = field.declared === null || field.declared === 'date' ? parseDate(value) : null;
    if (seconds !== null) addDate(field, ordinal, seconds);
  }
}

/** Units of work: to add a point. */
const pointUnits = 128;

/** Each once. */
export function* addPoints(field: Field, ordinal: number, points: Point[]): Steps<void> {
  field.latitudes ??= emptyList.latitudes();
  field.longitudes ??= emptyList.longitudes();
  if (!hasRoomFor(field, points.length)) yield* reserveValues(field, points.length);
  const added = new Set<string>();
  for (const { lat, lng } of points) {
    const name = points.length === 1 ? '' : `${lat} ${lng}`;
    if (added.has(name)) continue;
    added.add(name);
    field.latitudes.add(ordinal, lat);
    field.longitudes.add(ordinal, lng);
    if (isPauseDue(pointUnits)) yield;
  }
}

function addDate(field: Field, ordinal: number, seconds: number): void {
  field.dates ??= emptyList.dates();
  field.dates.add(ordinal, seconds);
}

/** Asked before, as steps that do nothing cost something too. */
export function hasRoomFor(field: Field, count: number): boolean {
  for (const kind of kinds) if (field[kind]?.hasRoom(count) === false) return false;
  return field.strings === null || field.dictionary.hasRoom(count);
}

/** Makes room for so many more values of any type. */
export function* reserveValues(field: Field, count: number): Steps<void> {
  for (const list of entryListsOf(field)) yield* list.reserve(count);
  if (field.strings !== null) yield* field.dictionary.reserve(count);
}

/** Answers the columns that most values are dead in: it is time to drop those. */
export function removeOrdinal(field: Field, ordinal: number): EntryList[] {
  const lists = entryListsOf(field).filter((list) => list.has(ordinal));
  if (lists.length > 0) field.documentCount -= 1;
  return lists.filter((list) => list.bury(ordinal));
}

/** Drops the values of removed documents, and the columns that are empty then. */
export function* dropRemoved(field: Field, removed: Bitset): Steps<void> {
  for (const kind of kinds) {
    const list = field[kind];
    if (list === null) continue;
    yield* dropFrom(field, list, removed);
    if (list.size === 0) field[kind] = null;
  }
}

export function* dropFrom(field: Field, list: EntryList, removed: Bitset): Steps<void> {
  yield* list.compact(removed);
  if (list === field.strings) yield* dropUnusedTexts(field, list);
}

/** Texts recoded without a pause. */
const recodedMax = stepUnits / 8;

/** Texts that no document has any more leave with their documents. */
function* dropUnusedTexts(field: Field, { values, size }: EntryList): Steps<void> {
  const used = new Bitset(field.dictionary.size);
  for (let place = 0; place < size; place += 1) {
    used.add(values[place] ?? 0);
    if ((place + 1) % stepUnits === 0) yield;
  }
  const usedCount = used.count();
  if (usedCount === field.dictionary.size) return;
  const dictionary = new Dictionary();
  yield* dictionary.reserve(usedCount);
  const recoded = yield* fillSteps(new Int32Array(field.dictionary.size), -1);
  for (let place = 0; place < size; place += 1) {
    const code = values[place] ?? 0;
    if ((recoded[code] ?? -1) < 0) {
      const isLong = field.dictionary.isLong(code);
      recoded[code] = dictionary.internPart(field.dictionary.textOf(code), isLong);
    }
    values[place] = recoded[code] ?? 0;
    if ((place + 1) % recodedMax === 0) yield;
  }
  field.dictionary = dictionary;
}

/** Into an empty field: what documents have that get new ordinals (−1: it gets none). As `EntryList.compacted`. */
export function* copyField(field: Field, ordinals: Int32Array, into: Field): Steps<void> {
  const { dictionary } = field;
  const codes = new Map<number, number>();
  const recoded = (code: number): number => {
    const known = codes.get(code);
    if (known !== undefined) return known;
    const own = into.dictionary.internPart(dictionary.textOf(code), dictionary.isLong(code));
    codes.set(code, own);
    return own;
  };
  const documents = new Bitset(0);
  for (const kind of kinds) {
    const list = field[kind];
    if (list === null) continue;
    if (kind === 'strings') yield* into.dictionary.reserve(dictionary.size);
    const copy = yield* list.compacted(ordinals, kind === 'strings' ? recoded : undefined);
    if (copy.size === 0) continue;
    into[kind] = copy;
    for (let place = 0; place < copy.size; place += 1) {
      documents.add(copy.ordinals[place] ?? 0);
      if (isPauseDue(2)) yield;
    }
  }
  into.documentCount = documents.count();
}

export function* encodeField(field: Field, writer: SectionWriter): Steps<void> {
  writer.text(field.path);
  writer.number(field.documentCount);
  for (const kind of kinds) {
    writer.number(Number(field[kind] !== null));
    field[kind]?.encode(writer);
  }
  yield* field.dictionary.encode(writer);
}

/** What `encodeField` wrote behind the path. */
export function* decodeField(field: Field, reader: SectionReader): Steps<void> {
  field.documentCount = yield* reader.number();
  for (const kind of kinds)
    field[kind] =
      (yield* reader.number()) === 1 ? yield* EntryList.decode(reader, emptyList[kind]().values) : null;
  field.dictionary = yield* Dictionary.decode(reader);
}
