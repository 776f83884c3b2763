/** Numbers and times as people read them, in the reader's language and zone. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** 36249 → "36,249" */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** 36249 → "36.2K" */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** "Nov 21, 2026"; a date without a value is "Never". */
export function formatDate(iso: string | null): string {
  return iso === null ? 'Never' : day.format(new Date(iso));
}

/** "Nov 21, 2026, 12:45 PM"; a date without a value is "Never". */
export function formatDateTime(iso: string | null): string {
  return iso === null ? 'Never' : dayAndTime.format(new Date(iso));
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago"; beyond a week the date. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1_000);
  if (seconds >= 7 * 86_400) return formatDate(iso);
  for (const [unit, size] of steps) {
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  }
  return 'just now';
}

/** 1536 → "1.5 KB" */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
