import { formatNumber } from '#client/lib/format.ts';
import type { RequestLevel } from '#shared/request-kinds.ts';
import type { Request } from '#shared/requests.ts';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});
const toTheSecond = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** '12:45:03.120'; of another day 'Nov 21, 12:45:03'. */
export function formatClock(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === now.toDateString();
  return isToday ? clock.format(at) : `${day.format(at)}, ${toTheSecond.format(at)}`;
}

/** 0.42 → '0.4 ms', 12.3 → '12 ms', 2345 → '2.3 s' */
export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export const levelColors: Record<RequestLevel, string> = {
  success: 'green',
  warning: 'yellow',
  error: 'red',
};

/** 1 → '1 search' */
export function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`;
}

/** Who asked, by a key's name. A session is asked for nothing but by the console's own pages: they import by REST. */
export function callerOf({ key }: Pick<Request, 'key'>): string {
  return key ? key.name : 'Console';
}
