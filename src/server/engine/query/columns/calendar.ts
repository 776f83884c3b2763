/**
 * Dates as people and documents write them, on the proleptic Gregorian calendar, in Unix seconds (UTC where no offset is given).
 * Pure arithmetic: days from civil after Howard Hinnant, "chrono-compatible low-level date algorithms".
 */

/** The seconds a written date covers: `start` is its first instant, `end` the first one after it. A full timestamp covers none but its own. */
export interface DateSpan {
  start: number;
  end: number;
}

const datePattern =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?)?$/;

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function offsetSeconds(text: string | undefined): number | null {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = text.length > 3 ? Number(text.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Seconds within the day, or null; 23:59:60 is taken as the next minute, as leap seconds have no Unix time of their own. */
function timeOfDay(hours: number, minutes: number, seconds: number): number | null {
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  return hours * 3600 + minutes * 60 + seconds;
}

/** Reads `2024-05`, `2024-05-17`, `2024-05-17T10:30`, `…:59.25`, with `Z` or an offset; null when it is no date that exists. */
export function parseDateSpan(text: string): DateSpan | null {
  // The shape is settled before the pattern runs: columns ask this of every short text.
  if (text.length < 7 || text.length > 40 || text.charCodeAt(4) !== 0x2d) return null;
  const parts = datePattern.exec(text);
  if (parts === null) return null;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  if (month < 1 || month > 12) return null;
  if (parts[3] === undefined) return monthSpan(year, month);
  const day = Number(parts[3]);
  if (day < 1 || day > daysInMonth(year, month)) return null;
  const midnight = daysFromCivil(year, month, day) * 86_400;
  if (parts[4] === undefined) return { start: midnight, end: midnight + 86_400 };
  const time = timeOfDay(Number(parts[4]), Number(parts[5]), Number(parts[6] ?? 0));
  const offset = offsetSeconds(parts[8]);
  if (time === null || offset === null) return null;
  const start = midnight + time - offset + (parts[7] === undefined ? 0 : Number(`0.${parts[7]}`));
  return { start, end: parts[6] === undefined ? start + 60 : start };
}

function monthSpan(year: number, month: number): DateSpan {
  const start = daysFromCivil(year, month, 1) * 86_400;
  return { start, end: start + daysInMonth(year, month) * 86_400 };
}

/** A document's date in Unix seconds; null when the text is not a whole date (a bare month is not). */
export function parseDate(text: string): number | null {
  if (text.length < 10) return null;
  return parseDateSpan(text)?.start ?? null;
}
