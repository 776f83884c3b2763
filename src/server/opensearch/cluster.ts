import { AppError } from '#server/errors.ts';
import { EngineAway } from '#server/indexes/registry/engine-away.ts';
import { ClusterError, missingIndexIn, type Refusal } from './cluster-error.ts';
import type { FixedConstants } from './fixed-constants.ts';
import { Nodes, statusOf } from './nodes.ts';

export interface ClusterRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  /** In place of a body: objects, or what they are written as, one a line. */
  lines?: (object | string)[];
  query?: Record<string, string>;
  timeoutMs?: number;
  /** Waited for before the answer is read, which takes the main thread. Absent: it is read at once. */
  turn?: () => Promise<void>;
}

const timeoutMs = 30_000;
const pingMs = 2_000;

/** The client is read where it is used: a server that searches by itself does without. */
export async function clientOf(nodes: string[]): Promise<Nodes> {
  const { Client, Serializer } = await import('@opensearch-project/opensearch');
  /** Answers are read in turns: the client would read each where it arrives, all that arrive together without a break. */
  class Unread extends Serializer {
    override deserialize(json: string): string {
      return json;
    }
  }
  const options = { maxRetries: 0, requestTimeout: timeoutMs, Serializer: Unread };
  return new Nodes(nodes.map((node) => new Client({ nodes: [node], ...options })));
}

/** A cluster, whichever of its nodes answers. */
export class Cluster {
  readonly #nodes: Nodes;
  /** The last request failed because nobody answered it. */
  #isAway = false;
  /** As it was read when nodes had been away so often. */
  #version: { absences: number; read: Promise<number> } | null = null;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  /** What the cluster answers. @throws ClusterError (it refuses), EngineAway, AppError UNAVAILABLE (it has too much to do), the signal's reason, a fault of this server's own */
  async ask<Answer>(
    { method, path, body, lines, query = {}, turn, ...own }: ClusterRequest,
    signal?: AbortSignal,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const given = lines ? { bulkBody: lines } : body ? { body } : {};
    const options = { timeoutMs: own.timeoutMs ?? timeoutMs, signal };
    try {
      const answer = await this.#nodes.ask({ method, path, querystring: query, ...given }, options);
      this.#isAway = false;
      await turn?.();
      signal?.throwIfAborted();
      return readAnswer(answer) as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = toClusterError(error);
      this.#isAway = failure instanceof AppError;
      throw failure;
    }
  }

  /** Asks a cluster that was away last whether it is there again. @throws AppError UNAVAILABLE */
  async assertThere(): Promise<void> {
    if (this.#isAway) await this.ask({ method: 'GET', path: '/', timeoutMs: pingMs });
  }

  /** Asks it, whether it was away or not. @throws AppError UNAVAILABLE */
  async assertAnswers(): Promise<void> {
    await this.ask({ method: 'GET', path: '/', timeoutMs: pingMs });
  }

  /** What its BM25 is of ours: before version 3 each score has the factor k1 + 1. */
  async scoreUnit({ k1 }: Pick<FixedConstants, 'k1'>): Promise<number> {
    const { absences } = this.#nodes;
    if (this.#version?.absences !== absences) {
      const version = { absences, read: this.#readVersion() };
      version.read.catch(() => {
        if (this.#version === version) this.#version = null;
      });
      this.#version = version;
    }
    return (await this.#version.read) < 3 ? k1 + 1 : 1;
  }

  async #readVersion(): Promise<number> {
    const { version } = await this.ask<{ version: { number: string } }>({ method: 'GET', path: '/' });
    return Number.parseInt(version.number, 10);
  }

  close(): Promise<void> {
    return this.#nodes.close();
  }
}

/** Of this server, such as a text that would be longer than one may be: the cluster has no part in it. */
const isOwnFault = (error: unknown): error is Error =>
  error instanceof RangeError ||
  error instanceof TypeError ||
  (error instanceof Error && error.name === 'SerializationError');

/** It has too much to do, or is about to be there. */
const busy = [429, 502, 503, 504];
/** No node has a copy of a part of the index, or none leads the cluster. */
const noPart = 503;

function toClusterError(error: unknown): Error {
  const status = statusOf(error);
  if (isOwnFault(error)) return error;
  if (status !== null && !busy.includes(status)) {
    const { reason, ...of } = reasonOf(error);
    return new ClusterError(status, reason, { cause: error, ...of });
  }
  return status === null || status === noPart ? new EngineAway(error) : unavailable(error);
}

export function unavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The search cluster is not available; try again in a moment', {
    cause,
    retryAfterSeconds: 5,
  });
}

interface Refused {
  error?: Refusal | string;
}

/** The cluster's own words. */
function reasonOf(error: unknown): { reason: string; missingIndex?: string } {
  const body = error instanceof Error && 'body' in error ? refusalIn(error.body) : undefined;
  const refusal = body?.error;
  if (typeof refusal === 'string') return { reason: refusal };
  const reason = refusal?.root_cause?.[0]?.reason ?? refusal?.reason ?? String(error);
  return { reason, ...missingIndexIn(refusal) };
}

/** What stands between may refuse a request in other words than JSON. */
function refusalIn(body: unknown): Refused | undefined {
  try {
    return readAnswer(body) as Refused | undefined;
  } catch {
    return undefined;
  }
}

/** To `HEAD` a boolean is the answer, and nothing may be. */
function readAnswer(body: unknown): unknown {
  return typeof body === 'string' && body !== '' ? JSON.parse(body) : body;
}
