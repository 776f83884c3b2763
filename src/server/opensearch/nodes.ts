import type { Client } from '@opensearch-project/opensearch';
import { within } from '#server/within.ts';

/** What a node is asked, in the client's words. */
export type NodeRequest = Parameters<Client['transport']['request']>[0];

interface NodeOptions {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

interface ClusterNode {
  client: Client;
  /** It did not answer; it is asked for nothing but whether it is there again. */
  isAway: boolean;
  pinging: Promise<boolean> | null;
}

/** So long an answer may take without a question whether the nodes are there at all. */
const quietMs = 500;
/** How long that question may take. A node that collects garbage needs part of a second. */
const pingMs = 1_500;
/** So long somebody waits for the first node to come back while none is there. */
const returnMs = 500;
/** It cannot do it just now; another one may. */
const notNow = [502, 503, 504];

/**
 * The nodes of a cluster, asked in turn. What one does not answer, another one is asked: all that is written has a version, so that twice is as once. A machine
 * that vanishes without a word is told from a node that takes long by a ping, so that nobody waits for it until a time is over. While none is there whoever asks
 * is told so at once (a circuit breaker that each ping can close).
 */
export class Nodes {
  readonly #nodes: ClusterNode[];
  #turn = 0;
  #absences = 0;

  /** @param clients one for each node, which try nothing twice */
  constructor(clients: Client[]) {
    this.#nodes = clients.map((client) => ({ client, isAway: false, pinging: null }));
  }

  /** How many are believed to answer. */
  get answering(): number {
    return this.#nodes.filter(({ isAway }) => !isAway).length;
  }

  /** How often one was found to be away: what comes back may be another release. */
  get absences(): number {
    return this.#absences;
  }

  /** The body that the first node answers which can. @throws the client's error, the last node's; the signal's reason */
  async ask(request: NodeRequest, options: NodeOptions): Promise<unknown> {
    for (const node of this.#nodes) if (node.isAway) void this.#isThere(node);
    const candidates = this.#inTurn();
    if (candidates.length === 0) candidates.push(await this.#firstThere());
    let failure: unknown;
    for (const node of candidates) {
      // Another one's silence has told of it meanwhile.
      if (node.isAway && failure !== undefined) continue;
      try {
        return await this.#askOne(node, request, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!mayAnotherOne(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ client }) => client.close()));
  }

  #inTurn(): ClusterNode[] {
    const there = this.#nodes.filter(({ isAway }) => !isAway);
    const from = this.#turn++ % Math.max(1, there.length);
    return [...there.slice(from), ...there.slice(0, from)];
  }

  /** While none answers. @throws Error when no ping is answered soon */
  async #firstThere(): Promise<ClusterNode> {
    const asked = this.#nodes.map(async (node) => {
      const late = () => new Error('the node does not answer');
      if (!(await within(this.#isThere(node), returnMs, late))) throw late();
      return node;
    });
    return await Promise.any(asked);
  }

  async #askOne(
    node: ClusterNode,
    request: NodeRequest,
    { timeoutMs, signal }: NodeOptions,
  ): Promise<unknown> {
    // The client writes into what it is given.
    const asked = node.client.transport.request({ ...request }, { requestTimeout: timeoutMs });
    // It answers a promise, whose failure a listener's caller would throw.
    const abort = () => {
      asked.abort();
    };
    signal?.addEventListener('abort', abort, { once: true });
    let isSilent = false;
    const watch = setInterval(async () => {
      // All at once: where this server is cut off, nobody waits for one node after the other.
      for (const other of this.#nodes) void this.#isThere(other);
      if (await this.#isThere(node)) return;
      isSilent = true;
      asked.abort();
    }, quietMs);
    try {
      return (await asked).body;
    } catch (error) {
      if (isSilent) throw new NodeAway(error);
      if (isConnectionFault(error)) this.#note(node, true);
      throw error;
    } finally {
      clearInterval(watch);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** However many want to know, it is asked once. */
  #isThere(node: ClusterNode): Promise<boolean> {
    const look = async () => {
      const isThere = await ping(node);
      this.#note(node, !isThere);
      return isThere;
    };
    node.pinging ??= look().finally(() => {
      node.pinging = null;
    });
    return node.pinging;
  }

  #note(node: ClusterNode, isAway: boolean): void {
    if (isAway && !node.isAway) this.#absences += 1;
    node.isAway = isAway;
  }
}

/** Also where it has too much to do: it answered. */
async function ping({ client }: ClusterNode): Promise<boolean> {
  // The shorter time is told from one in which this process was held up itself.
  const options = { requestTimeout: 2 * pingMs };
  const asked = client.transport.request({ method: 'GET', path: '/' }, options);
  const answered = asked.then(
    () => true,
    (error: unknown) => statusOf(error) !== null,
  );
  return await within(answered, pingMs, () => new Error('late')).catch(() => false);
}

/** A request was given up because its node said nothing, not even to a ping. */
class NodeAway extends Error {
  constructor(cause: unknown) {
    super('a node of the search cluster says nothing', { cause });
    this.name = 'NodeAway';
  }
}

/** The status of an answer; null: there was none. */
export function statusOf(error: unknown): number | null {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/** A connection that could not be made, or broke. */
function isConnectionFault(error: unknown): boolean {
  return error instanceof Error && ['ConnectionError', 'NoLivingConnectionsError'].includes(error.name);
}

/** Not where a node was there all the time and took too long: another one would too. */
function mayAnotherOne(error: unknown): boolean {
  return error instanceof NodeAway || isConnectionFault(error) || notNow.includes(statusOf(error) ?? 0);
}
