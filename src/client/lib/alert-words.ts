import { alertMetricTable } from '#shared/alert-metrics.ts';
import type { Alert, AlertRule } from '#shared/alerts.ts';

type Condition = Pick<AlertRule, 'metric' | 'comparison' | 'threshold' | 'minutes'>;

const digits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** 4.25 of a rate → "4.3 %", which is not broken between its number and its unit. */
export function formatMetric(metric: AlertRule['metric'], value: number | null): string {
  if (value === null) return '–';
  const { unit } = alertMetricTable[metric];
  return unit === '' ? digits.format(value) : `${digits.format(value)}\u00a0${unit}`;
}

/** "CPU above 90 % over 5 minutes" */
export function conditionWords({ metric, comparison, threshold, minutes }: Condition): string {
  const condition = `${alertMetricTable[metric].label} ${comparison} ${formatMetric(metric, threshold)}`;
  // It is looked at as it is.
  if (metric === 'index_backlog') return condition;
  return `${condition} over ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}

/** What it was about, and for how long: why it is over, its rule being changed or the metric, nobody says. */
export function resolvedWords(alert: Alert, nowMs = Date.now()): string {
  const minutes = Math.round((nowMs - Date.parse(alert.raisedAt)) / 60_000);
  return `${conditionWords(alert)}: active for ${durationWords(minutes)}`;
}

function durationWords(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  const [value, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1_440), 'day'];
  return `${digits.format(value)}\u00a0${unit}${value === 1 ? '' : 's'}`;
}

export function raisedWords(alert: Alert): string {
  return `${conditionWords(alert)}: it was ${formatMetric(alert.metric, alert.value)}`;
}
