const short = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** A day in UTC (YYYY-MM-DD) as people say it: "Sat", or "Sat, Nov 21". */
export function dayLabel(date: string, length: 'short' | 'long'): string {
  return (length === 'short' ? short : long).format(new Date(`${date}T00:00:00Z`));
}
