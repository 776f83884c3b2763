import { formatNumber } from '#client/lib/format.ts';
import type { MapValue } from '#shared/document-map.ts';

/** Values with a color of their own. */
export const categoriesMax = 8;
/** Of a ramp. */
export const rampSteps = 5;
/** A field with so many different numbers, and hardly anything else, is one of amounts. */
const amountsMin = 9;
const amountsShare = 0.9;

/** A value, or some of them, that have a color. */
interface ColorEntry {
  label: string;
  /** The variable that is its color. */
  color: string;
  count: number;
}

/** What the points are colored by: of each point the place of its entry. */
export interface PointColors {
  kind: 'plain' | 'values' | 'ramp';
  entries: ColorEntry[];
  entryOf: Uint8Array;
}

const noValue = { label: 'No value', color: '--vx-map-none' };
const others = { label: 'Other', color: '--vx-map-other' };
export const colorOf = (place: number) => `--vx-map-${place + 1}`;
const rampColor = (step: number) => `--vx-map-ramp-${step + 1}`;

/** `values`: of each point; `isPlain`: no field tells them apart. */
export function colorPoints(
  values: MapValue[],
  { isPlain, isDate }: { isPlain: boolean; isDate: boolean },
): PointColors {
  if (isPlain) {
    const entries = [{ label: 'Documents', color: colorOf(0), count: values.length }];
    return { kind: 'plain', entries, entryOf: new Uint8Array(values.length) };
  }
  const numbers = values.filter((value) => typeof value === 'number');
  const present = values.filter((value) => value !== null).length;
  const areAmounts = new Set(numbers).size >= amountsMin && numbers.length >= present * amountsShare;
  return areAmounts ? byAmount(values, numbers, isDate) : byValue(values, isDate);
}

/** Places of the entries: what has no color of its own lies below, the rarer ones on top. */
export function paintOrder({ entries }: PointColors): number[] {
  const isBelow = ({ color }: ColorEntry) => color === others.color || color === noValue.color;
  const places = entries.map((entry, place) => ({ place, layer: isBelow(entry) ? 0 : 1 }));
  return places.toSorted((a, b) => a.layer - b.layer).map(({ place }) => place);
}

/** The most frequent values, then what is left. Equally frequent ones by name, so that their colors stay. */
function byValue(values: MapValue[], isDate: boolean): PointColors {
  const counts = new Map<MapValue, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1] || (String(a[0]) < String(b[0]) ? -1 : 1));
  const shown = ordered.slice(0, categoriesMax);
  const placeOf = new Map(shown.map(([value], place) => [value, place]));
  const entries = shown.map(([value], place) => ({ label: labelOf(value, isDate), color: colorOf(place) }));
  return counted('values', [...entries, others, noValue], values, (value) => {
    if (value === null) return entries.length + 1;
    return placeOf.get(value) ?? entries.length;
  });
}

/** Steps that as many points have each, as far as values part them: a few that are far from all others do not take the ramp. */
function byAmount(values: MapValue[], numbers: number[], isDate: boolean): PointColors {
  const sorted = Float64Array.from(numbers).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const starts = [...new Set(Array.from({ length: rampSteps }, (_, step) => at(step / rampSteps)))];
  const last = sorted.at(-1) ?? 0;
  const entries = starts.map((start, step) => {
    const end = lastBelow(sorted, starts[step + 1]) ?? last;
    return { label: spanLabel(start, end, isDate), color: rampColor(step + rampSteps - starts.length) };
  });
  return counted('ramp', [...entries, noValue], values, (value) => {
    if (typeof value !== 'number') return entries.length;
    return starts.findLastIndex((start) => start <= value);
  });
}

/** Entries that no point has are left out. */
function counted(
  kind: PointColors['kind'],
  entries: Omit<ColorEntry, 'count'>[],
  values: MapValue[],
  placeOf: (value: MapValue) => number,
): PointColors {
  const places = values.map(placeOf);
  const counts = new Array<number>(entries.length).fill(0);
  for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  const kept = entries.flatMap((entry, place) =>
    counts[place] ? [{ ...entry, count: counts[place] ?? 0, place }] : [],
  );
  const keptPlace = new Map(kept.map(({ place }, i) => [place, i]));
  return {
    kind,
    entries: kept.map(({ place: _, ...entry }) => entry),
    entryOf: Uint8Array.from(places, (place) => keptPlace.get(place) ?? 0),
  };
}

function lastBelow(sorted: Float64Array, bound: number | undefined): number | undefined {
  return bound === undefined ? undefined : sorted.findLast((value) => value < bound);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const decimal = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });

/** A value as people read it; whole numbers of four digits are mostly years, which have no comma. */
export function labelOf(value: MapValue, isDate: boolean): string {
  if (value === null) return noValue.label;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (isDate) return day.format(value * 1_000);
  if (!Number.isInteger(value)) return decimal.format(value);
  return Math.abs(value) < 10_000 ? String(value) : formatNumber(value);
}

function spanLabel(from: number, to: number, isDate: boolean): string {
  return from === to ? labelOf(from, isDate) : `${labelOf(from, isDate)} – ${labelOf(to, isDate)}`;
}
