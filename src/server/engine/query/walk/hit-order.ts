/**
 * The order of a search's hits as a question about two of them, for what needs the first few of many and not all in order. It is that of
 * `sortOrdinals`, or by score where there are no sort keys; it always ends in the id.
 *
 * A hit's place in it can be kept while the index changes: by its sort values and its id, which say where it would stand among others. While
 * its document is what it was, its place is where it stands now, whatever has become of scores.
 */
import type { Bitset } from '../../bits/bitset.ts';
import type { DocumentTable } from '../../documents/document-table.ts';
import type { SearchScratch } from '../../memory/search-scratch.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { SortKey } from '../../types.ts';
import type { Field } from '../columns/field.ts';
import {
  comparePlaces,
  compareWith,
  missing,
  type SortSource,
  type SortValues,
  sortValuesOf,
  textClass,
} from '../sort/sort-ordinals.ts';
import type { HitPlace, SortValue } from './walk-place.ts';

export interface Ordering {
  documents: DocumentTable;
  scratch: SearchScratch;
  /** Empty: by score. */
  sort: SortKey[];
  scoreOf: (ordinal: number) => number;
  source: SortSource;
  /** The best by score of some candidates, best first; null: each is to be asked for its score. */
  best: ((count: number, among: Bitset) => Steps<{ ordinals: Int32Array }>) | null;
  /** To be run before the scores of many candidates are asked for; by ordinal, null: `scoreOf` has them. */
  know: (among: Bitset) => Steps<Float64Array | null>;
}

/** Whether the order asks for scores. */
export function readsScores({ sort }: Pick<Ordering, 'sort'>): boolean {
  return sort.length === 0 || sort.some(({ field }) => field === '_score' || field === '_text_match');
}

export type IsBefore = (a: number, b: number) => boolean;

export class HitOrder {
  readonly #candidates: Bitset;
  readonly #ordering: Ordering;
  /** By key, then by place. */
  readonly #byKey: SortValues[];
  /** By ordinal, of the candidates. */
  readonly #places: Int32Array;

  private constructor(
    candidates: Bitset,
    ordering: Ordering,
    { byKey, places }: { byKey: SortValues[]; places: Int32Array },
  ) {
    this.#candidates = candidates;
    this.#ordering = ordering;
    this.#byKey = byKey;
    this.#places = places;
  }

  /** Of these candidates, until another one is made in the same search. */
  static *of(candidates: Bitset, ordering: Ordering): Steps<HitOrder> {
    const { sort, source, scratch, documents } = ordering;
    const scores = readsScores(ordering) ? yield* ordering.know(candidates) : null;
    const scoreOf = scores === null ? ordering.scoreOf : (ordinal: number) => scores[ordinal] ?? 0;
    if (sort.length === 0)
      return new HitOrder(candidates, { ...ordering, scoreOf }, { byKey: [], places: new Int32Array(0) });
    const ordinals = yield* candidates.ordinals();
    const places = scratch.integers('places', documents.capacity);
    for (let from = 0; from < ordinals.length; from += stepUnits) {
      const to = Math.min(from + stepUnits, ordinals.length);
      for (let place = from; place < to; place += 1) places[ordinals[place] ?? 0] = place;
      if (isPauseDue(to - from)) yield;
    }
    return new HitOrder(candidates, ordering, {
      byKey: yield* sortValuesOf(ordinals, sort, source),
      places,
    });
  }

  /** Whether a candidate comes before another one. */
  get isBefore(): IsBefore {
    const { sort, scoreOf, documents } = this.#ordering;
    if (sort.length > 0) {
      const places = this.#places;
      return (a, b) => {
        const order = comparePlaces(this.#byKey, places[a] ?? 0, places[b] ?? 0);
        return order === 0 ? documents.isBefore(a, b) : order < 0;
      };
    }
    return (a, b) => {
      const own = scoreOf(a);
      const other = scoreOf(b);
      return own === other ? documents.isBefore(a, b) : own > other;
    };
  }

  /** Whether a candidate comes behind the place of a hit that was shown before. */
  *behind(place: HitPlace): Steps<(ordinal: number) => boolean> {
    const { documents, sort, scoreOf } = this.#ordering;
    const shown = documents.ordinalOf(place.id);
    const isCandidate = shown !== undefined && this.#candidates.has(shown);
    if (isCandidate && (yield* documents.sealOf(shown)) === place.seal) {
      const { isBefore } = this;
      return (ordinal) => isBefore(shown, ordinal);
    }
    const idBytes = encoder.encode(place.id);
    const isAfterId = (ordinal: number) => documents.isAfter(ordinal, idBytes);
    const [first] = place.values;
    if (sort.length === 0) {
      const score = Number(first?.value ?? 0);
      return (ordinal) => {
        const own = scoreOf(ordinal);
        return own === score ? isAfterId(ordinal) : own < score;
      };
    }
    const bounds = yield* this.#bounds(place.values);
    return (ordinal) => this.#isBehind(ordinal, bounds, { isAfterId, shown });
  }

  #isBehind(
    ordinal: number,
    bounds: Bound[],
    { isAfterId, shown }: { isAfterId: (ordinal: number) => boolean; shown: number | undefined },
  ): boolean {
    const at = this.#places[ordinal] ?? 0;
    const { sort } = this.#ordering;
    for (let i = 0; i < sort.length; i += 1) {
      // The last key that counts: no two are equal.
      if (sort[i]?.field === 'id') return ordinal !== shown && isAfterId(ordinal) !== sort[i]?.descending;
      const values = this.#byKey[i];
      const bound = bounds[i];
      if (values === undefined || bound === undefined) continue;
      const order = compareWith(values, at, bound.class, bound.value);
      if (order !== 0) return order > 0;
    }
    return isAfterId(ordinal);
  }

  /** Values as the columns of today have them: a text is where it would stand among their texts. */
  *#bounds(values: SortValue[]): Steps<Bound[]> {
    const { sort, source } = this.#ordering;
    const bounds: Bound[] = [];
    for (const [i, { field: path }] of sort.entries()) {
      const { class: kind, value } = values[i] ?? { class: missing, value: 0 };
      const field = source.columns.field(path);
      const isText = typeof value === 'string';
      const rank = isText && field !== undefined ? yield* field.dictionary.rankOf(value) : 0;
      bounds.push({ class: kind, value: isText ? rank : value });
    }
    return bounds;
  }
}

interface Bound {
  class: number;
  value: number;
}

const encoder = new TextEncoder();

/** The place of a hit, for later. */
export function* placeOf(ordinal: number, ordering: Ordering): Steps<HitPlace> {
  const { documents, sort, source } = ordering;
  const place = { id: documents.idOf(ordinal), seal: yield* documents.sealOf(ordinal) };
  if (sort.length === 0) return { ...place, values: [{ class: 0, value: ordering.scoreOf(ordinal) }] };
  const byKey = yield* sortValuesOf(Int32Array.of(ordinal), sort, source);
  const values: SortValue[] = [];
  for (const [i, { field }] of sort.entries()) {
    const [value = 0] = byKey[i]?.values ?? [];
    const [kind = missing] = byKey[i]?.classes ?? [];
    const text = kind === textClass ? yield* textAt(ordinal, source.columns.field(field), value) : null;
    values.push({ class: kind, value: text ?? value });
  }
  return { ...place, values };
}

/** The document's text with this rank. */
function* textAt(ordinal: number, field: Field | undefined, rank: number): Steps<string> {
  const list = field?.strings;
  if (field === undefined || !list) return '';
  const ranks = yield* field.dictionary.ranks();
  const end = list.end(ordinal);
  for (let entry = list.start(ordinal); entry < end; entry += 1) {
    const code = list.values[entry] ?? 0;
    if (ranks[code] === rank) return field.dictionary.foldedOf(code);
  }
  return '';
}
