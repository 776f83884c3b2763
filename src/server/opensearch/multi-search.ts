import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import { AppError } from '#server/errors.ts';
import { EngineAway } from '#server/indexes/registry/engine-away.ts';
import { type Cluster, unavailable } from './cluster.ts';
import { ClusterError, missingIndexIn, type Refusal } from './cluster-error.ts';
import { SearchBytes, searchRequests, tooMuch } from './search-lines.ts';

export interface FoundId {
  /** Empty where only other columns were asked for. */
  _id: string;
  /** Null: it was not asked for. */
  _score: number | null;
  sort?: unknown[];
  /** Scores of queries with names. */
  matched_queries?: Record<string, number>;
  /** Columns that were asked for. */
  fields?: Record<string, unknown[]>;
  /** Absent: it was not asked for. */
  _version?: number;
}

/** What the cluster answers to one search. */
export interface SearchReply {
  timed_out: boolean;
  _shards: { failed: number };
  /** `total`: absent where it was not asked for. */
  hits: { total?: { value: number }; max_score: number | null; hits: FoundId[] };
  aggregations?: Record<string, unknown>;
  suggest?: Record<string, { options: { text: string; freq: number }[] }[]>;
}

interface Failed {
  error: Refusal;
  status: number;
}

/** Searches one index is asked together. */
export type AskSearches = (searches: object[]) => Promise<SearchReply[]>;

/** Which copies of an index a search may ask; absent: any. */
export type Preference = '_primary' | undefined;

/** Where it asks, for whom, and until when. */
interface Asking {
  index: string;
  preference?: Preference;
  requester: Requester;
  signal: AbortSignal | undefined;
  /** What all searches together may send; absent: any. */
  bytesMax?: number | undefined;
}

/** A search whose total is asked for: without it what cannot be among the best need not be looked at. */
export const counted = <Search extends object>(search: Search) => ({ ...search, track_total_hits: true });

/** How many a search that is `counted` has found. @throws Error: it is not */
export function totalOf(reply: SearchReply | undefined): number {
  const total = reply?.hits.total;
  if (total === undefined) throw new Error('the cluster was not asked how many there are');
  return total.value;
}

/**
 * All answers are whole, or there is none. Searches that are asked together, as those of steps that do not wait for each other, go in one request. Whoever asked goes on in a turn of the main thread: of all answers that arrive together one, and the next question
 * that comes of it. @throws ClusterError, AppError UNAVAILABLE or UNPROCESSABLE (too many conditions, too many bytes), the signal's reason
 */
export function searchesOf(
  cluster: Cluster,
  { index, preference, requester, signal, bytesMax = Number.POSITIVE_INFINITY }: Asking,
): AskSearches {
  const turn = () => loopTurns.next(requester);
  const head = { index, preference, allow_partial_search_results: false };
  const bytes = new SearchBytes(bytesMax);
  return together(async (searches) => {
    const replies: SearchReply[] = [];
    for (const lines of searchRequests(head, searches, bytes)) {
      const request = { method: 'POST', path: '/_msearch', lines, turn } as const;
      const asking = cluster.ask<{ responses: (SearchReply | Failed)[] }>(request, signal);
      const { responses } = await asking.catch(refusedWhole);
      for (const reply of responses) replies.push(withIds(whole(reply)));
    }
    return replies;
  });
}

/** Whatever is asked before nothing is left to do without an answer goes together. */
function together(ask: AskSearches): AskSearches {
  let waiting: object[] = [];
  let replies: Promise<SearchReply[]> | null = null;
  const send = async () => {
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    const searches = waiting;
    [waiting, replies] = [[], null];
    return await ask(searches);
  };
  return async (searches) => {
    const from = waiting.length;
    waiting.push(...searches);
    replies ??= send();
    return (await replies).slice(from, from + searches.length);
  };
}

/** One search whose hits tell the scores of the queries that have names, which none of several can. @throws as `searchesOf` */
export type AskNamed = (search: object) => Promise<SearchReply>;

export function namedSearchOf(cluster: Cluster, { index, preference, requester, signal }: Asking): AskNamed {
  const turn = () => loopTurns.next(requester);
  const query = {
    include_named_queries_score: 'true',
    allow_partial_search_results: 'false',
    ...(preference && { preference }),
  };
  return async (body) => {
    const request = { method: 'POST', path: `/${index}/_search`, body, query, turn } as const;
    return whole(await cluster.ask<SearchReply>(request, signal).catch(refusedWhole));
  };
}

/** Its words for a query with more than 1,024 clauses, by which filters and texts come to it. */
const isTooMany = (reason: string) => /too many (nested )?clauses|maxClauseCount/i.test(reason);

/** What a node, or a proxy before it, says of more bytes than it takes. */
const tooLongStatus = 413;

function refusedWhole(error: unknown): never {
  if (!(error instanceof ClusterError)) throw error;
  if (error.status === tooLongStatus) throw tooMuch(error);
  throw isTooMany(error.message) ? tooMany(error) : error;
}

/** Whoever asks can do something about it; to try again is in vain. */
function tooMany(cause: ClusterError): AppError {
  const message =
    'has more conditions, with the words of the query, than the search cluster takes in one search; ask for fewer';
  return new AppError('UNPROCESSABLE', `filter_by: ${message}`, {
    cause,
    details: [{ path: 'filter_by', message }],
  });
}

function withIds(reply: SearchReply): SearchReply {
  for (const hit of reply.hits.hits) hit._id ??= idOf(hit);
  return reply;
}

/** By the column of ids. */
export function idOf({ fields }: Pick<FoundId, 'fields'>): string {
  const [id] = fields?.['id'] ?? [];
  return typeof id === 'string' ? id : '';
}

function whole(reply: SearchReply | Failed): SearchReply {
  if ('error' in reply) {
    const { error, status } = reply;
    const reason = error.root_cause?.[0]?.reason ?? error.reason ?? 'unknown';
    const cause = new ClusterError(status, reason, missingIndexIn(error));
    if (isTooMany(reason)) throw tooMany(cause);
    if (status === 503) throw new EngineAway(cause);
    throw status === 429 || status >= 500 ? unavailable(cause) : cause;
  }
  if (reply.timed_out || reply._shards.failed > 0)
    throw new EngineAway(new Error('a part of the search cluster did not answer'));
  return reply;
}
