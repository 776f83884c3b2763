import type { Diagnostic, SortKey } from '../types.ts';
import type { ColumnStore } from './columns/column-store.ts';
import type { EntryList } from './columns/entry-list.ts';
import type { Field } from './columns/field.ts';

/**
 * Sorting by up to three keys. Each key becomes one array of numbers first (texts by their rank in the dictionary), so that
 * comparing is arithmetic. Documents without the field come last in both directions; what is equal in every key keeps the order of
 * `isBefore`, so that pages never repeat or drop a document.
 * An array counts by its smallest element ascending and its largest descending. Where a field has several types, numbers come before
 * dates, booleans (false first) and texts. Texts are compared folded, by code unit, the same in every locale; long ones
 * (over `Dictionary.shortCharactersMax`) by their beginning.
 */
export type ScoreKind = '_score' | '_text_match' | '_vector_distance';

export const sortKeysMax = 3;
const scoreKinds: readonly string[] = ['_score', '_text_match', '_vector_distance'] satisfies ScoreKind[];
const isScoreKind = (field: string): field is ScoreKind => scoreKinds.includes(field);

/** Reads `price:asc,_score:desc`: at most three keys, ascending where nothing is said. Never throws; keys are empty where there is a fault. */
export function parseSort(text: string): { keys: SortKey[]; diagnostics: Diagnostic[] } {
  const keys: SortKey[] = [];
  const fault = (position: number, message: string) => ({ keys: [], diagnostics: [{ position, message }] });
  if (text.trim() === '') return { keys, diagnostics: [] };
  let position = 0;
  for (const part of text.split(',')) {
    const start = position + part.length - part.trimStart().length;
    if (keys.length === sortKeysMax) return fault(start, `expected at most ${sortKeysMax} sort keys`);
    const colon = part.lastIndexOf(':');
    const field = (colon < 0 ? part : part.slice(0, colon)).trim();
    const direction =
      colon < 0
        ? 'asc'
        : part
            .slice(colon + 1)
            .trim()
            .toLowerCase();
    if (field === '') return fault(start, 'expected a field name');
    if (direction !== 'asc' && direction !== 'desc') {
      return fault(position + colon + 1, 'expected asc or desc after ":"');
    }
    keys.push({ field, descending: direction === 'desc' });
    position += part.length + 1;
  }
  return { keys, diagnostics: [] };
}

/** What one key makes of each document, in the order of `ordinals`. */
interface Ranking {
  values: Float64Array;
  /** 0 number, 1 date, 2 boolean, 3 text, `missing`. */
  classes: Uint8Array;
  descending: boolean;
}

const missing = 255;

/** The ordinals in the order of the keys, as a new array; `isBefore` must be a strict total order. O(n log n). */
export function sortOrdinals(
  ordinals: Int32Array,
  keys: SortKey[],
  scoreOf: (ordinal: number, kind: ScoreKind) => number | null,
  columns: ColumnStore,
  isBefore: (a: number, b: number) => boolean,
): Int32Array {
  const rankings = keys.map((key) => {
    const { field, descending } = key;
    if (isScoreKind(field)) return rankByScore(ordinals, (ordinal) => scoreOf(ordinal, field), descending);
    return field === 'id'
      ? rankById(ordinals, isBefore, descending)
      : rankByField(ordinals, columns.field(field), descending);
  });
  const places = Uint32Array.from(ordinals, (_, place) => place);
  places.sort((a, b) => {
    for (const ranking of rankings) {
      const order = compareRanks(ranking, a, b);
      if (order !== 0) return order;
    }
    return compareOrdinals(ordinals[a] ?? 0, ordinals[b] ?? 0, isBefore);
  });
  return Int32Array.from(places, (place) => ordinals[place] ?? 0);
}

function compareOrdinals(a: number, b: number, isBefore: (a: number, b: number) => boolean): number {
  if (a === b) return 0;
  return isBefore(a, b) ? -1 : 1;
}

function compareRanks({ values, classes, descending }: Ranking, a: number, b: number): number {
  const classA = classes[a] ?? missing;
  const classB = classes[b] ?? missing;
  if (classA === missing || classB === missing) return classA === classB ? 0 : classA === missing ? 1 : -1;
  const valueA = values[a] ?? 0;
  const valueB = values[b] ?? 0;
  // Not a difference: two infinities have none.
  const order = classA - classB || (valueA < valueB ? -1 : valueA > valueB ? 1 : 0);
  return descending ? -order : order;
}

function emptyRanking(size: number, descending: boolean): Ranking {
  return { values: new Float64Array(size), classes: new Uint8Array(size).fill(missing), descending };
}

function rankByScore(
  ordinals: Int32Array,
  scoreOf: (ordinal: number) => number | null,
  descending: boolean,
): Ranking {
  const ranking = emptyRanking(ordinals.length, descending);
  for (const [place, ordinal] of ordinals.entries()) {
    const score = scoreOf(ordinal);
    if (score === null || Number.isNaN(score)) continue;
    ranking.values[place] = score;
    ranking.classes[place] = 0;
  }
  return ranking;
}

/** The order of ids is the order of ties. */
function rankById(
  ordinals: Int32Array,
  isBefore: (a: number, b: number) => boolean,
  descending: boolean,
): Ranking {
  const ranking = emptyRanking(ordinals.length, descending);
  const places = Uint32Array.from(ordinals, (_, place) => place);
  places.sort((a, b) => compareOrdinals(ordinals[a] ?? 0, ordinals[b] ?? 0, isBefore));
  for (const [rank, place] of places.entries()) {
    ranking.values[place] = rank;
    ranking.classes[place] = 0;
  }
  return ranking;
}

function rankByField(ordinals: Int32Array, field: Field | undefined, descending: boolean): Ranking {
  const ranking = emptyRanking(ordinals.length, descending);
  if (field === undefined) return ranking;
  const lists = [field.numbers, field.dates, field.booleans];
  for (const [place, ordinal] of ordinals.entries()) {
    const rankClass = lists.findIndex((list) => list?.has(ordinal));
    const list = lists[rankClass];
    if (!list) continue;
    ranking.classes[place] = rankClass;
    ranking.values[place] = extreme(list, ordinal, descending);
  }
  if (field.strings !== null) rankTexts(ordinals, field, field.strings, ranking);
  return ranking;
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

/** Ranks the texts of the documents that have no better class. */
function rankTexts(ordinals: Int32Array, field: Field, list: EntryList, ranking: Ranking): void {
  const ranks = field.dictionary.ranks();
  for (const [place, ordinal] of ordinals.entries()) {
    if (ranking.classes[place] !== missing) continue;
    const start = list.start(ordinal);
    const end = list.end(ordinal);
    if (start === end) continue;
    let best = ranks[list.values[start] ?? 0] ?? 0;
    for (let entry = start + 1; entry < end; entry++) {
      const rank = ranks[list.values[entry] ?? 0] ?? 0;
      if (ranking.descending ? rank > best : rank < best) best = rank;
    }
    ranking.classes[place] = 3;
    ranking.values[place] = best;
  }
}
