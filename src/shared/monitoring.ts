import { z } from 'zod';
import { vectorScans } from './collections.ts';
import { modelState } from './embedding.ts';
import { entityId, moment } from './fields.ts';
import { pageFields } from './pages.ts';

/** How far back figures are asked for. */
const monitoringRanges = ['1h', '24h', '7d', '30d'] as const;
export type MonitoringRange = (typeof monitoringRanges)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long each range is, and what one of its points stands for; points begin at whole multiples of that in UTC. */
export const rangeTable: Record<MonitoringRange, { spanMs: number; stepMs: number }> = {
  '1h': { spanMs: hourMs, stepMs: minuteMs },
  '24h': { spanMs: dayMs, stepMs: 15 * minuteMs },
  '7d': { spanMs: 7 * dayMs, stepMs: 2 * hourMs },
  '30d': { spanMs: 30 * dayMs, stepMs: dayMs },
};

export const monitoringInput = z.strictObject({
  workspaceId: entityId,
  range: z.enum(monitoringRanges).default('24h'),
});

const share = z.number().min(0).max(1);

/** Requests of a workspace over some time; milliseconds are null where none was answered. */
const requestFigures = z.object({
  requests: z.int(),
  /** Answered 4xx. */
  clientErrors: z.int(),
  /** Answered 5xx. */
  serverErrors: z.int(),
  /** Milliseconds until the answer began, within 5 %. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});
export type RequestFigures = z.output<typeof requestFigures>;

/** The server's machine, on average over some time; null where nothing was measured. */
const hostFigures = z.object({
  cpu: share.nullable(),
  memory: share.nullable(),
  disk: share.nullable(),
  apiConnections: z.number().nullable(),
  liveConnections: z.number().nullable(),
});
export type HostFigures = z.output<typeof hostFigures>;

/** Minutes in which the server ran, of those that it could have run in. */
const uptimeFigures = z.object({ minutesUp: z.int(), minutes: z.int() });
export type UptimeFigures = z.output<typeof uptimeFigures>;

/** Of a range. */
const pointsMax = 100;

const monitoringPoint = z.object({
  at: moment,
  ...requestFigures.shape,
  ...hostFigures.shape,
  ...uptimeFigures.shape,
});
export type MonitoringPoint = z.output<typeof monitoringPoint>;

const amount = z.object({ used: z.number(), total: z.number() });

/** The server's machine at this moment. */
const hostNow = z.object({
  /** Of all processors; null until it was measured twice. */
  cpu: share.nullable(),
  processors: z.int(),
  /** Bytes. */
  memory: amount,
  /** Bytes where the data lies; null where the system does not tell. */
  disk: amount.nullable(),
  apiConnections: z.int(),
  liveConnections: z.int(),
  startedAt: moment,
});
export type HostNow = z.output<typeof hostNow>;

export const monitoringShape = z
  .object({
    range: z.enum(monitoringRanges),
    since: moment,
    until: moment,
    /** Of a point. */
    stepMs: z.int(),
    totals: z.object({ ...requestFigures.shape, ...uptimeFigures.shape }),
    /** The same time before `since`. */
    before: requestFigures,
    now: hostNow,
    /** Oldest first; the last one goes on. */
    points: z.array(monitoringPoint).max(pointsMax),
  })
  .meta({ id: 'Monitoring' });
export type Monitoring = z.output<typeof monitoringShape>;

const healthStatuses = ['healthy', 'warning', 'error'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

export const collectionHealthInput = z.strictObject({ workspaceId: entityId, ...pageFields });

export const collectionHealthShape = z
  .object({
    id: z.int(),
    name: z.string(),
    projectId: z.int(),
    status: z.enum(healthStatuses),
    /** Why it is not healthy, or what is to be known of it though it is. */
    reason: z.string().nullable(),
    documents: z.int(),
    /** What makes its vectors: `builtin`, `builtin:rotated`, a service's model, or one in a directory. */
    model: z.string(),
    /** How that is for queries: of what is built in, how its transformer is. */
    modelState,
    /** How it is for documents, which wait longer for a service than queries do. */
    documentsState: modelState,
    /** Documents that the transformer has read, or that the service has given vectors. */
    upgraded: z.int(),
    /** The model that it is being moved to, beside the live vectors, and of how many documents the vectors are there; null: to none. */
    nextModel: z.string().nullable(),
    moved: z.int(),
    /** Documents that wait for the service's vectors, and those that it gives none: both are found by their words alone. */
    pending: z.int(),
    refused: z.int(),
    /** Documents in the index; null: it is not in memory, and is opened by the next search. */
    indexed: z.int().nullable(),
    /** Writes that are stored and not in the index yet; null where there is none in memory. */
    backlog: z.int().nullable(),
    /** Of the stored documents, in bytes. */
    bytes: z.int(),
    /** Of its index in memory; null: it is not there. */
    indexBytes: z.int().nullable(),
    /** What a search by meaning compares first, and the share of the ten nearest documents that it finds, as measured; null: it is not in memory. */
    scan: z.enum(vectorScans).nullable(),
    recall: z.number().nullable(),
    /** Searches within the last hour. */
    queriesPerHour: z.int(),
  })
  .meta({ id: 'CollectionHealth' });
export type CollectionHealth = z.output<typeof collectionHealthShape>;
