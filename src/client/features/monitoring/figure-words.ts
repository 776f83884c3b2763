import { formatNumber } from '#client/lib/format.ts';
import type { MonitoringRange, RequestFigures, UptimeFigures } from '#shared/monitoring.ts';

/** Figures of the page as people read them. A figure that there is none of is "–". */

const none = '–';

/** 3.2 → "3.2 ms", 1240 → "1.24 s" */
export function formatMs(ms: number | null): string {
  if (ms === null) return none;
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

/** 0.1234 → "12.3 %"; what is neither none nor all is never told as that. */
export function formatShare(share: number | null, digits = 1): string {
  if (share === null) return none;
  const least = 10 ** -digits;
  const percent = share * 100;
  if (percent > 0 && percent < least) return `< ${least} %`;
  if (percent < 100 && percent > 100 - least) return `> ${(100 - least).toFixed(digits)} %`;
  return `${percent === 0 || percent === 100 ? percent : percent.toFixed(digits)} %`;
}

export function errorRateOf({ requests, clientErrors, serverErrors }: RequestFigures): number | null {
  return requests === 0 ? null : (clientErrors + serverErrors) / requests;
}

/** A server that has just been started has been up all the time. */
export function uptimeOf({ minutesUp, minutes }: UptimeFigures): number {
  return minutes === 0 ? 1 : minutesUp / minutes;
}

/** 65 → "1 h 5 min" */
export function formatMinutes(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return `${formatNumber(days)} d${hours > 0 ? ` ${hours} h` : ''}`;
  const rest = Math.floor(minutes % 60);
  if (hours > 0) return `${hours} h${rest > 0 ? ` ${rest} min` : ''}`;
  return `${rest} min`;
}

/** How much more there is than before: "+12 %"; null where there was nothing to compare with. */
export function formatChange(now: number, before: number): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${formatNumber(Math.abs(change))} %`;
}

const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
/** Days are those of UTC. */
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const formats: Record<MonitoringRange, Intl.DateTimeFormat> = {
  '1h': time,
  '24h': time,
  '7d': dayAndTime,
  '30d': day,
};

/** When a point begins. */
export function pointLabel(at: string, range: MonitoringRange): string {
  return formats[range].format(new Date(at));
}
