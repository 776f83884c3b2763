import { type DateSpan, parseDateSpan } from '../columns/calendar.ts';

/** What a filter's written value means for each type of column. */

/** There is one way to read each digit, or a long number with a fault at its end would be tried in all ways. */
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export function asNumber(text: string): number | null {
  if (!numberPattern.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export function asBoolean(text: string): boolean | null {
  const folded = text.toLowerCase();
  if (folded === 'true') return true;
  return folded === 'false' ? false : null;
}

/** ISO 8601 (a day or a month stands for all its seconds) or Unix seconds. */
export function asDateSpan(text: string): DateSpan | null {
  const span = parseDateSpan(text);
  if (span !== null) return span;
  const seconds = asNumber(text);
  return seconds === null ? null : { start: seconds, end: seconds };
}

/** Numbers from `from` to `to`, both included: what a comparison or a range asks of a numeric column. */
export interface Interval {
  from: number;
  to: number;
}

/** An instant is itself; a longer span ends just before the first instant after it. */
const lastOf = ({ start, end }: DateSpan): number => (end > start ? below(end) : start);

export function numberInterval(text: string): Interval | null {
  const value = asNumber(text);
  return value === null ? null : { from: value, to: value };
}

export function dateInterval(text: string): Interval | null {
  const span = asDateSpan(text);
  return span === null ? null : { from: span.start, to: lastOf(span) };
}

/** What is left of the number line by a comparison with a value that covers `interval`. */
export function compareInterval(operator: '>' | '>=' | '<' | '<=', { from, to }: Interval): Interval {
  switch (operator) {
    case '>':
      return { from: above(to), to: Number.POSITIVE_INFINITY };
    case '>=':
      return { from, to: Number.POSITIVE_INFINITY };
    case '<':
      return { from: Number.NEGATIVE_INFINITY, to: below(from) };
    case '<=':
      return { from: Number.NEGATIVE_INFINITY, to };
  }
}

const scratch = new Float64Array(1);
const scratchBits = new BigInt64Array(scratch.buffer);

/** The next double up, so that open ends need no second code path. */
function above(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  scratch[0] = value;
  scratchBits[0] = (scratchBits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return scratch[0] ?? value;
}

const below = (value: number): number => -above(-value);
