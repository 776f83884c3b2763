import type { RequestLevel } from '#shared/request-kinds.ts';
import type { Request } from '#shared/requests.ts';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** '12:45:03.120', with the day before it where that is not today. */
export function formatClock(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const time = clock.format(at);
  return at.toDateString() === now.toDateString() ? time : `${day.format(at)}, ${time}`;
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

/** Who asked, by a key's name. */
export function callerOf({ key, way }: Pick<Request, 'key' | 'way'>): string {
  if (key) return key.name;
  return way === 'console' ? 'Console' : 'Session';
}
