import { sortSteps } from '../../bits/sort-steps.ts';
import { fillSteps } from '../../memory/fill-steps.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { SortKey } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import type { EntryList } from '../columns/entry-list.ts';
import type { Field } from '../columns/field.ts';
import { eachDistance } from '../geo/each-distance.ts';
import type { Point } from '../geo/point.ts';

type ScoreKind = '_score' | '_text_match' | '_vector_distance';

const scoreKinds: readonly string[] = ['_score', '_text_match', '_vector_distance'] satisfies ScoreKind[];
export const isScoreKind = (field: string): field is ScoreKind => scoreKinds.includes(field);

/** What sort keys read. */
export interface SortSource {
  columns: ColumnStore;
  /** Null: the document has no such score. */
  scoreOf: (ordinal: number, kind: ScoreKind) => number | null;
  /** The order of ties; must be a strict total order. */
  isBefore: (a: number, b: number) => boolean;
}

/** What one key sorts the documents by, in the order of the ordinals. */
export interface SortValues {
  values: Float64Array;
  /** 0 number, 1 date, 2 boolean, 3 text, `missing`. */
  classes: Uint8Array;
  isDescending: boolean;
}

/** Of work, for each place. */
const placeUnits = 8;

export const missing = 255;
export const textClass = 3;

/**
 * The ordinals in the order of the keys, as a new array. Each key becomes one array of numbers first (texts by their rank in the dictionary),
 * so that comparing is arithmetic. Documents without the field come last in both directions; what is equal in every key keeps the order
 * of `isBefore`, so that pages never repeat or drop a document. O(n log n).
 *
 * An array counts by its smallest element ascending and its largest descending, of points by their nearest and their farthest. Where a field has several types, numbers come before
 * dates, booleans (false first) and texts. Texts are compared folded, by code unit, the same in every locale; long ones
 * (over `Dictionary.shortCharactersMax`) by their beginning.
 */
export function* sortOrdinals(ordinals: Int32Array, keys: SortKey[], source: SortSource): Steps<Int32Array> {
  const { isBefore } = source;
  const byKey = yield* sortValuesOf(ordinals, keys, source);
  const places = yield* placesOf(ordinals);
  yield* sortSteps(
    places,
    (a, b) => comparePlaces(byKey, a, b) || compareOrdinals(ordinals[a] ?? 0, ordinals[b] ?? 0, isBefore),
  );
  const sorted = new Int32Array(ordinals.length);
  yield* eachPlace(places, (rank, place) => {
    sorted[rank] = ordinals[place] ?? 0;
  });
  return sorted;
}

/** What each key sorts the documents by. */
export function* sortValuesOf(
  ordinals: Int32Array,
  keys: SortKey[],
  source: SortSource,
): Steps<SortValues[]> {
  const byKey: SortValues[] = [];
  for (const key of keys) byKey.push(yield* valuesOf(ordinals, key, source));
  return byKey;
}

/** By all keys; 0: they are equal in every one. */
export function comparePlaces(byKey: SortValues[], a: number, b: number): number {
  for (const each of byKey) {
    const order = compareWith(each, a, each.classes[b] ?? missing, each.values[b] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

function* placesOf(ordinals: Int32Array): Steps<Int32Array> {
  const places = new Int32Array(ordinals.length);
  yield* eachPlace(ordinals, (place) => {
    places[place] = place;
  });
  return places;
}

function* valuesOf(
  ordinals: Int32Array,
  { field, descending, from }: SortKey,
  source: SortSource,
): Steps<SortValues> {
  const size = ordinals.length;
  const result = {
    values: new Float64Array(size),
    classes: yield* fillSteps(new Uint8Array(size), missing),
    isDescending: descending,
  };
  const own = source.columns.field(field);
  if (from !== undefined) yield* fillByDistance(result, ordinals, { field: own, from });
  else if (isScoreKind(field))
    yield* fillByScore(result, ordinals, (ordinal) => source.scoreOf(ordinal, field));
  else if (field === 'id') yield* fillById(result, ordinals, source.isBefore);
  else yield* fillByField(result, ordinals, own);
  return result;
}

/** Visits the places of the ordinals. */
function* eachPlace(ordinals: Int32Array, visit: (place: number, ordinal: number) => void): Steps<void> {
  for (let from = 0; from < ordinals.length; from += stepUnits) {
    const to = Math.min(from + stepUnits, ordinals.length);
    for (let place = from; place < to; place += 1) visit(place, ordinals[place] ?? 0);
    if (isPauseDue((to - from) * placeUnits)) yield;
  }
}

function compareOrdinals(a: number, b: number, isBefore: (a: number, b: number) => boolean): number {
  if (a === b) return 0;
  return isBefore(a, b) ? -1 : 1;
}

/** A place with a value of a class; scalars, as sorting asks this millions of times. */
export function compareWith(
  { values, classes, isDescending }: SortValues,
  place: number,
  otherClass: number,
  otherValue: number,
): number {
  const ownClass = classes[place] ?? missing;
  if (ownClass === missing || otherClass === missing)
    return ownClass === otherClass ? 0 : ownClass === missing ? 1 : -1;
  const value = values[place] ?? 0;
  // Not a difference: two infinities have none.
  const order = ownClass - otherClass || (value < otherValue ? -1 : value > otherValue ? 1 : 0);
  return isDescending ? -order : order;
}

function fillByScore(
  { values, classes }: SortValues,
  ordinals: Int32Array,
  scoreOf: (ordinal: number) => number | null,
): Steps<void> {
  return eachPlace(ordinals, (place, ordinal) => {
    const score = scoreOf(ordinal);
    if (score === null || Number.isNaN(score)) return;
    values[place] = score;
    classes[place] = 0;
  });
}

function* fillByDistance(
  { values, classes, isDescending: isFarthest }: SortValues,
  ordinals: Int32Array,
  { field, from }: { field: Field | undefined; from: Point },
): Steps<void> {
  if (field === undefined) return;
  yield* eachDistance(field, { ordinals, from, isFarthest }, (place, meters) => {
    values[place] = meters;
    classes[place] = 0;
  });
}

/** The order of ids is the order of ties. */
function* fillById(
  { values, classes }: SortValues,
  ordinals: Int32Array,
  isBefore: SortSource['isBefore'],
): Steps<void> {
  const places = yield* placesOf(ordinals);
  yield* sortSteps(places, (a, b) => compareOrdinals(ordinals[a] ?? 0, ordinals[b] ?? 0, isBefore));
  yield* eachPlace(places, (rank, place) => {
    values[place] = rank;
  });
  yield* fillSteps(classes, 0);
}

function* fillByField(result: SortValues, ordinals: Int32Array, field: Field | undefined): Steps<void> {
  if (field === undefined) return;
  const lists = [field.numbers, field.dates, field.booleans];
  yield* eachPlace(ordinals, (place, ordinal) => {
    const kind = lists.findIndex((list) => list?.has(ordinal));
    const list = lists[kind];
    if (!list) return;
    result.classes[place] = kind;
    result.values[place] = extreme(list, ordinal, result.isDescending);
  });
  if (field.strings !== null) yield* fillByText(result, ordinals, { list: field.strings, field });
}

/** Smallest or largest of a document's values. */
function extreme(list: EntryList, ordinal: number, isLargest: boolean): number {
  let place = list.start(ordinal);
  let best = list.values[place] ?? 0;
  const end = list.end(ordinal);
  for (place++; place < end; place++) {
    const value = list.values[place] ?? 0;
    if (isLargest ? value > best : value < best) best = value;
  }
  return best;
}

/** For the documents that have no value of an earlier class. */
function* fillByText(
  { values, classes, isDescending }: SortValues,
  ordinals: Int32Array,
  { list, field }: { list: EntryList; field: Field },
): Steps<void> {
  const ranks = yield* field.dictionary.ranks();
  yield* eachPlace(ordinals, (place, ordinal) => {
    if (classes[place] !== missing) return;
    const start = list.start(ordinal);
    const end = list.end(ordinal);
    if (start === end) return;
    let best = ranks[list.values[start] ?? 0] ?? 0;
    for (let entry = start + 1; entry < end; entry++) {
      const rank = ranks[list.values[entry] ?? 0] ?? 0;
      if (isDescending ? rank > best : rank < best) best = rank;
    }
    classes[place] = textClass;
    values[place] = best;
  });
}
