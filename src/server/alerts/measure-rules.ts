import type { ReadDatabase } from '#server/db/client.ts';
import type { alertRules } from '#server/db/schema/alerts.ts';
import type { HostRead, HostSeries } from '#server/monitoring/host-series.ts';
import { quantileOf } from '#server/monitoring/latency-histogram.ts';
import {
  addCounts,
  noRequests,
  type RequestCounts,
  type RequestSeries,
} from '#server/monitoring/request-series.ts';
import type { AlertMetric } from '#shared/alert-metrics.ts';
import { readBacklogs } from './index-backlog.ts';

type Rule = typeof alertRules.$inferSelect;
/** What of a rule says what is measured. */
type Measured = Pick<Rule, 'workspaceId' | 'metric' | 'minutes'>;
/** Where metrics are read. */
export interface Figures {
  requests: Pick<RequestSeries, 'readAll'>;
  host: Pick<HostSeries, 'read'>;
}

const minuteMs = 60_000;
/** Workspaces whose requests are read with one statement. */
const workspacesAtOnce = 200;

/**
 * What the metrics of these rules are, each over its last whole minutes, in the unit of its threshold. Null: there was nothing to measure.
 */
export async function measureRules(
  { requests, host }: Figures,
  db: ReadDatabase,
  { rules, now }: { rules: readonly Measured[]; now: Date },
): Promise<(rule: Measured) => number | null> {
  const untilMs = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const longest = Math.max(0, ...rules.map(({ minutes }) => minutes));
  const span = { since: new Date(untilMs - longest * minuteMs), until: new Date(untilMs), stepMs: minuteMs };
  const asking = rules.filter(({ metric }) => isOfRequests(metric));
  const workspaceIds = [...new Set(asking.map(({ workspaceId }) => workspaceId))];
  const counts = new Map<number, Map<number, RequestCounts>>();
  for (let i = 0; i < workspaceIds.length; i += workspacesAtOnce) {
    const some = workspaceIds.slice(i, i + workspacesAtOnce);
    for (const [id, steps] of await requests.readAll(db, { ...span, workspaceIds: some }))
      counts.set(id, steps);
  }
  const measured = rules.some(({ metric }) => isOfHost(metric)) ? await host.read(db, span) : null;
  const behind = rules.filter(({ metric }) => metric === 'index_backlog');
  const backlogs = await readBacklogs(
    db,
    behind.map(({ workspaceId }) => workspaceId),
  );
  return ({ workspaceId, metric, minutes }) => {
    const sinceMs = untilMs - minutes * minuteMs;
    // As it is now: what was there meanwhile is nowhere.
    if (metric === 'index_backlog') return backlogs.get(workspaceId) ?? 0;
    if (isOfHost(metric)) return measured && hostValue(metric, measured, sinceMs);
    return requestValue(metric, sumSince(counts.get(workspaceId), sinceMs), minutes);
  };
}

type HostMetric = Extract<AlertMetric, 'cpu' | 'memory' | 'disk'>;

type RequestMetric = Exclude<AlertMetric, HostMetric | 'index_backlog'>;

function isOfRequests(metric: AlertMetric): metric is RequestMetric {
  return metric !== 'index_backlog' && !isOfHost(metric);
}

function isOfHost(metric: AlertMetric): metric is HostMetric {
  return metric === 'cpu' || metric === 'memory' || metric === 'disk';
}

function sumSince(steps: ReadonlyMap<number, RequestCounts> | undefined, sinceMs: number): RequestCounts {
  let sum = noRequests;
  for (const [step, counts] of steps ?? []) if (step >= sinceMs) sum = addCounts(sum, counts);
  return sum;
}

function requestValue(
  metric: RequestMetric,
  { requests, clientErrors, serverErrors, latencies }: RequestCounts,
  minutes: number,
): number | null {
  if (metric === 'requests_per_minute') return requests / minutes;
  if (metric === 'response_p95') return quantileOf(latencies, 0.95);
  if (metric === 'response_p99') return quantileOf(latencies, 0.99);
  const errors = metric === 'error_rate' ? clientErrors + serverErrors : serverErrors;
  return requests === 0 ? null : (errors / requests) * 100;
}

/** On average over all servers, in %. */
function hostValue(metric: HostMetric, { sums }: HostRead, sinceMs: number): number | null {
  const own = sums.filter(({ step }) => step >= sinceMs);
  const samples = own.reduce((sum, one) => sum + (metric === 'cpu' ? one.cpuSamples : one.samples), 0);
  return samples === 0 ? null : (own.reduce((sum, one) => sum + one[metric], 0) / samples) * 100;
}

/** What cannot be measured meets nothing. */
export function isMet(
  { comparison, threshold }: Pick<Rule, 'comparison' | 'threshold'>,
  value: number | null,
): boolean {
  if (value === null) return false;
  return comparison === 'above' ? value > threshold : value < threshold;
}
