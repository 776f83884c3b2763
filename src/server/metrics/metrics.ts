import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from './figures.ts';

/**
 * What the server tells whoever watches it, in Prometheus' text form. Labels name operations, statuses and parts of the server: what there
 * is a fixed number of, never a tenant, a collection or a path.
 */
export interface Metrics {
  /** A request whose answer begins. */
  count(answer: { operation: string; status: number; seconds: number }): void;
  /** A request that was turned away by its head. */
  countTurnedAway(status: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Seconds: searches take milliseconds, imports minutes. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createMetrics(readFigures: () => Figures): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Of the process: processor time, memory, open files, garbage collection, how late the event loop is.
  collectDefaultMetrics({ register: registry });
  const answered = new Counter({
    name: 'vectora_requests_total',
    help: 'Requests that were answered, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const turnedAway = new Counter({
    name: 'vectora_requests_turned_away_total',
    help: 'Requests that were refused by their head alone, by status',
    labelNames: ['status'],
    registers,
  });
  const took = new Histogram({
    name: 'vectora_request_duration_seconds',
    help: 'From a request to the beginning of its answer, by operation',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const show = gaugesOf(registers);
  return {
    count({ operation, status, seconds }) {
      answered.inc({ operation, status });
      took.observe({ operation }, seconds);
    },
    countTurnedAway: (status) => turnedAway.inc({ status }),
    contentType: registry.contentType,
    async text() {
      show(readFigures());
      return await registry.metrics();
    },
  };
}

/** Sets the gauges to figures that were just read. */
function gaugesOf(registers: Registry[]): (figures: Figures) => void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `vectora_${name}`, help, labelNames, registers });
  const underWay = gauge('requests_under_way', 'Requests under way, by the way in', ['way']);
  const atWork = gauge('requests_at_work', 'Requests that have arrived whole and are worked on', ['way']);
  const waiting = gauge('waiting', 'What waits for a turn, by what it waits for', ['for']);
  const held = gauge('held_bytes', 'Memory that is counted and bounded, by what it is for', ['of']);
  const heldMax = gauge('held_limit_bytes', 'What that memory may have', ['of']);
  const answers = gauge(
    'embedding_service_answers',
    'Whether the service for embeddings answered what it was last asked',
    ['for'],
  );
  const indexes = gauge('indexes_open', 'Indexes that are in memory');
  const imports = gauge('imports_under_way', 'Imports under way');
  const connections = gauge('database_connections_in_use', 'Connections to the database that are in use');
  return (figures) => {
    for (const [way, requests] of Object.entries(figures.ways)) {
      underWay.set({ way }, requests.underWay);
      atWork.set({ way }, requests.atWork);
    }
    for (const [what, number] of Object.entries(figures.waiting)) waiting.set({ for: what }, number);
    for (const [what, bytes] of Object.entries(figures.heldBytes)) {
      held.set({ of: what }, bytes.now);
      heldMax.set({ of: what }, bytes.max);
    }
    for (const [what, does] of Object.entries(figures.embeddingAnswers))
      answers.set({ for: what }, Number(does));
    indexes.set(figures.indexesOpen);
    imports.set(figures.importsUnderWay);
    connections.set(figures.connectionsInUse);
  };
}
