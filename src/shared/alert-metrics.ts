/** What alert rules are about, without the schemas: the console shows it before it needs those. */

/** What a rule looks at, over its minutes together. */
export const alertMetrics = [
  'error_rate',
  'server_error_rate',
  'response_p95',
  'response_p99',
  'requests_per_minute',
  'cpu',
  'memory',
  'disk',
  'index_backlog',
] as const;
export type AlertMetric = (typeof alertMetrics)[number];

/** What each is, in which unit a threshold of it is told, and what it can be at most. */
export const alertMetricTable: Record<AlertMetric, { label: string; unit: string; max: number }> = {
  error_rate: { label: 'Error rate (4xx and 5xx)', unit: '%', max: 100 },
  server_error_rate: { label: 'Server error rate (5xx)', unit: '%', max: 100 },
  response_p95: { label: 'Response time (p95)', unit: 'ms', max: 600_000 },
  response_p99: { label: 'Response time (p99)', unit: 'ms', max: 600_000 },
  requests_per_minute: { label: 'Requests a minute', unit: '', max: 1_000_000_000 },
  cpu: { label: 'CPU', unit: '%', max: 100 },
  memory: { label: 'Memory', unit: '%', max: 100 },
  disk: { label: 'Disk', unit: '%', max: 100 },
  index_backlog: { label: 'Changes not in the search index', unit: '', max: 1_000_000_000 },
};

export const alertComparisons = ['above', 'below'] as const;

export const alertTypes = ['info', 'warning', 'error'] as const;
export type AlertType = (typeof alertTypes)[number];

export const alertStatuses = ['active', 'resolved'] as const;

/** How long a rule looks back at most: what is asked for every minute. */
export const ruleMinutesMax = 60;
