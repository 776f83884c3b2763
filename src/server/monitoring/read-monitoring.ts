import type { ReadDatabase } from '#server/db/client.ts';
import {
  type HostFigures,
  type Monitoring as MonitoringAnswer,
  type MonitoringRange,
  type RequestFigures,
  rangeTable,
  type UptimeFigures,
} from '#shared/monitoring.ts';
import type { Monitoring } from './create-monitoring.ts';
import type { HostRead, HostSums } from './host-series.ts';
import { quantileOf } from './latency-histogram.ts';
import { addCounts, noRequests, type RequestCounts } from './request-series.ts';

const minuteMs = 60_000;
/** A minute that has just begun was not measured yet. */
const measuredWithinMs = 20_000;

interface Asked {
  workspaceId: number;
  range: MonitoringRange;
  now: Date;
}

/** A workspace's requests and its server's machine over a range that ends now. */
export async function readMonitoring(
  { requests, host }: Pick<Monitoring, 'requests' | 'host'>,
  db: ReadDatabase,
  { workspaceId, range, now }: Asked,
): Promise<MonitoringAnswer> {
  const { spanMs } = rangeTable[range];
  const { since, until, stepMs } = spanOf(range, now);
  const sinceMs = since.getTime();
  const counts = await requests.read(db, { workspaceId, since, until, stepMs });
  const before = await requests.read(db, {
    workspaceId,
    since: new Date(sinceMs - spanMs),
    until: since,
    stepMs,
  });
  const measured = await host.read(db, { since, until, stepMs });
  const steps = Array.from({ length: spanMs / stepMs }, (_, i) => sinceMs + i * stepMs);
  const points = steps.map((step) => ({
    at: new Date(step).toISOString(),
    ...requestFiguresOf(counts.get(step) ?? noRequests),
    ...hostFiguresOf(measured, step),
    ...uptimeOf(measured, {
      fromMs: step,
      untilMs: Math.min(step + stepMs, now.getTime() - measuredWithinMs),
      step,
    }),
  }));
  const sum = (read: (point: UptimeFigures) => number) =>
    points.reduce((total, point) => total + read(point), 0);
  return {
    range,
    since: since.toISOString(),
    until: now.toISOString(),
    stepMs,
    totals: {
      ...requestFiguresOf(sumOf(counts)),
      minutesUp: sum(({ minutesUp }) => minutesUp),
      minutes: sum(({ minutes }) => minutes),
    },
    before: requestFiguresOf(sumOf(before)),
    now: await host.now(),
    points,
  };
}

/** How many requests there were in a range that ends now. */
export async function countRequests(
  requests: Monitoring['requests'],
  db: ReadDatabase,
  { workspaceId, range, now }: Asked,
): Promise<number> {
  return sumOf(await requests.read(db, { workspaceId, ...spanOf(range, now) })).requests;
}

/** The step that has begun is its last one. */
function spanOf(range: MonitoringRange, now: Date): { since: Date; until: Date; stepMs: number } {
  const { spanMs, stepMs } = rangeTable[range];
  const untilMs = (Math.floor(now.getTime() / stepMs) + 1) * stepMs;
  return { since: new Date(untilMs - spanMs), until: new Date(untilMs), stepMs };
}

function sumOf(counts: ReadonlyMap<number, RequestCounts>): RequestCounts {
  return [...counts.values()].reduce(addCounts, noRequests);
}

function requestFiguresOf({
  latencies,
  requests,
  clientErrors,
  serverErrors,
}: RequestCounts): RequestFigures {
  return {
    requests,
    clientErrors,
    serverErrors,
    p50: quantileOf(latencies, 0.5),
    p95: quantileOf(latencies, 0.95),
    p99: quantileOf(latencies, 0.99),
  };
}

/** Shares are averages over all servers; connections are those of all together. */
function hostFiguresOf({ sums }: HostRead, step: number): HostFigures {
  const own = sums.filter((one) => one.step === step && one.samples > 0);
  const total = (read: (one: HostSums) => number) => own.reduce((sum, one) => sum + read(one), 0);
  const samples = total((one) => one.samples);
  if (samples === 0)
    return { cpu: null, memory: null, disk: null, apiConnections: null, liveConnections: null };
  const cpuSamples = total((one) => one.cpuSamples);
  return {
    cpu:
      cpuSamples === 0
        ? null
        : shareOf(
            total((one) => one.cpu),
            cpuSamples,
          ),
    memory: shareOf(
      total((one) => one.memory),
      samples,
    ),
    disk: shareOf(
      total((one) => one.disk),
      samples,
    ),
    apiConnections: rounded(total((one) => one.apiConnections / one.samples)),
    liveConnections: rounded(total((one) => one.liveConnections / one.samples)),
  };
}

/** Of the minutes since any server was first known to run. One that runs is enough. */
function uptimeOf(
  { sums, firstAt }: HostRead,
  { fromMs, untilMs, step }: { fromMs: number; untilMs: number; step: number },
): UptimeFigures {
  if (firstAt === null) return { minutesUp: 0, minutes: 0 };
  const begin = Math.max(fromMs, firstAt.getTime());
  const minutes = Math.max(0, Math.ceil((untilMs - begin) / minuteMs));
  const minutesUp = Math.max(0, ...sums.filter((one) => one.step === step).map((one) => one.minutesUp));
  return { minutesUp: Math.min(minutes, minutesUp), minutes };
}

const shareOf = (sum: number, samples: number) => Math.min(1, Math.max(0, sum / samples));
const rounded = (value: number) => Math.round(value * 10) / 10;
