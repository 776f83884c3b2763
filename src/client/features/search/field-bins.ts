/**
 * Fields of numbers and dates as an axis: numbers as they are, dates as whole days since 1970. The ends of bins and of a chosen range
 * are places on it.
 */
export interface FieldBins {
  unit: AxisUnit;
  /** Where each bar begins, and where the last one ends; ascending. */
  edges: number[];
  /** The smallest and the largest value. */
  min: number;
  max: number;
  /** What the ends of a range move by. */
  step: number;
}

export type AxisUnit = 'number' | 'day';

const barsMax = 24;
const dayMs = 86_400_000;

/** Null: all values are the same. */
export function makeBins({ unit, min, max }: Pick<FieldBins, 'unit' | 'min' | 'max'>): FieldBins | null {
  if (!(max > min)) return null;
  const isWhole = Number.isInteger(min) && Number.isInteger(max);
  const width = niceWidth((max - min) / barsMax, unit === 'day' || isWhole);
  const first = unit === 'day' ? min : Math.floor(min / width) * width;
  const whole = Math.floor((max - first) / width) + 1;
  // What is rounded may end just before the largest value.
  const count = round(first + whole * width) > max ? whole : whole + 1;
  const edges = Array.from({ length: count + 1 }, (_, i) => round(first + i * width));
  return { unit, edges, min, max, step: isWhole ? 1 : round(width / 10) };
}

/** 1, 2, 2.5 or 5 times a power of ten, at least `width`. */
function niceWidth(width: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const factors = isWhole && power < 10 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const nice = power * (factors.find((factor) => power * factor >= width * (1 - 1e-9)) ?? 10);
  return isWhole ? Math.max(1, Math.ceil(nice)) : nice;
}

/** Without what adding up leaves behind the last digits. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** `year(0:[1980..1985],1:[1985..1990])`; the label of a bar is its number. The last bar has no end, as its values may lie on it. */
export function rangeFacet(path: string, { unit, edges }: FieldBins): string {
  const bars = edges.slice(0, -1).map((from, i) => {
    const to = i === edges.length - 2 ? '' : plain(unit, edges[i + 1] ?? 0);
    return `${i}:[${plain(unit, from)}..${to}]`;
  });
  return `${path}(${bars.join(',')})`;
}

/** A place on the axis as filters and facets take it; never with an exponent. */
export function plain(unit: AxisUnit, place: number): string {
  if (unit === 'day') return new Date(place * dayMs).toISOString().slice(0, 10);
  const text = String(place);
  return text.includes('e') ? place.toFixed(Math.min(20, place < 1 ? 20 : 0)) : text;
}

/** A value of a document, or an end of a range as it was written, as a place on the axis; null: it has none. */
export function toAxis(unit: AxisUnit, value: unknown): number | null {
  if (unit === 'day') {
    const ms =
      typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(ms) ? null : Math.floor(ms / dayMs);
  }
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
