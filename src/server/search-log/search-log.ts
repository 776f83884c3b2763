import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordStore } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { EventType } from '#shared/analytics.ts';
import type { SearchMode } from '#shared/search.ts';
import { countedQuery, keyOfText } from './counted-query.ts';
import { newSearchNumber, QueryIds } from './query-ids.ts';
import { TenantRows } from './tenant-rows.ts';
import { TypingBursts } from './typing-bursts.ts';
import { type EventRow, writeEvents } from './write-events.ts';
import { type QueryCount, takeWritersTurn, writeSearches } from './write-searches.ts';

/** A collection, and whose it is. */
interface Searched {
  id: number;
  for: { tenant: string };
}

interface NotedSearch {
  collection: Searched;
  /** Who types: kept in memory while that may go on, and never written. */
  typist: string;
  mode: SearchMode;
  /** As typed. */
  query: string;
  found: number;
  tookMs: number;
  /** False: it is a further page of a search. */
  isCounted: boolean;
}

interface NotedEvent {
  type: EventType;
  queryId: string;
  documentId: string;
  position: number | null;
}

interface SearchLogParts {
  record: Pick<RecordStore, 'write'>;
  log: Log;
  clock: () => Date;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** Signs the ids of searches. */
  sign: (text: string) => string;
  /** Hears which collections were searched, once that is in the record. */
  onWritten?: (collectionIds: number[]) => void;
}

/** A search that may still be typed on. */
interface Waiting {
  text: string;
  tenant: string;
  count: QueryCount;
}

const sweepMs = 1_000;
/** One after the other they cost less than half of what each does amid searches, whose code and data push this out of the processor's caches. */
const countedAtOnce = 64;

/** A search that is not counted yet. */
interface Noted {
  search: NotedSearch;
  at: Date;
  /** By the clock that only grows. */
  now: number;
  /** As it is counted. */
  text: string;
  key: number;
}

/**
 * What is searched for, and what comes of it. A search costs an entry in memory; every few seconds the entries of all are added to the
 * record's sums by query and day. Who searches is not written anywhere. What waits is lost when the process is killed.
 */
export class SearchLog {
  readonly #clock: () => Date;
  readonly #now: () => number;
  readonly #ids: QueryIds;
  #noted: Noted[] = [];
  readonly #bursts = new TypingBursts<Waiting>();
  readonly #searches: TenantRows<QueryCount>;
  readonly #events: TenantRows<EventRow>;
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | null = null;

  constructor({ record, log, clock, now, sign, onWritten }: SearchLogParts) {
    this.#clock = clock;
    this.#now = now ?? (() => performance.now());
    this.#ids = new QueryIds(sign);
    this.#searches = new TenantRows<QueryCount>({
      record,
      log,
      what: 'counts of searches',
      merge: sumOf,
      inSum: (row) => ({
        key: `${row.collectionId}/${row.day}/${row.mode}`,
        row: { ...row, key: 0, query: null },
      }),
      async write(db, rows) {
        await takeWritersTurn(db);
        await writeSearches(db, rows);
      },
      onWritten: (rows) => onWritten?.([...new Set(rows.map(({ collectionId }) => collectionId))]),
    });
    this.#events = new TenantRows<EventRow>({
      record,
      log,
      what: 'clicks and conversions of searches',
      merge: (waiting) => waiting,
      async write(db, rows) {
        await takeWritersTurn(db);
        await writeEvents(db, rows);
      },
    });
  }

  /** Answers the search's id. What the id does not need is done once there are some searches. */
  note(search: NotedSearch): string {
    const at = this.#clock();
    const text = countedQuery(search.query);
    const key = keyOfText(text);
    if (search.isCounted) {
      this.#noted.push({ search, at, now: this.#now(), text, key });
      if (this.#noted.length >= countedAtOnce) this.#countNoted();
      this.#sweepLater();
    }
    return this.#ids.issue(search.collection.id, { mode: search.mode, at, key, search: newSearchNumber() });
  }

  /** Twice the same of one search counts once. @throws AppError NOT_FOUND (the id), TOO_MANY_REQUESTS */
  noteEvent({ id: collectionId, for: { tenant } }: Searched, event: NotedEvent): void {
    const { type, queryId, documentId, position } = event;
    const ref = this.#ids.read(collectionId, queryId, this.#clock());
    if (ref === null)
      throw new AppError(
        'NOT_FOUND',
        'No search of this collection has this query_id, or it is too long ago',
      );
    const { mode, key, search, at } = ref;
    const document = keyOfText(documentId);
    const row = { collectionId, search, type, document, documentId, day: dayOf(at), mode, key, position };
    const isTaken = this.#events.put(tenant, `${collectionId}/${search}/${type}/${document}`, row);
    if (!isTaken)
      throw new AppError('TOO_MANY_REQUESTS', 'More events than are taken within some seconds', {
        retryAfterSeconds: 5,
      });
  }

  /** Counts what there is, also what may still be typed on, and writes it. */
  async flush(): Promise<void> {
    this.#sweep(Number.POSITIVE_INFINITY);
    await this.#searches.flush();
    await this.#events.flush();
  }

  /** The same, and sets no timer any more. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#sweep(Number.POSITIVE_INFINITY);
    await this.#searches.stop();
    await this.#events.stop();
  }

  #sweepLater(): void {
    this.#timer ??= this.#outside(() => {
      const onTime = () => {
        this.#timer = null;
        this.#sweep(this.#now());
        if (this.#bursts.size > 0) this.#sweepLater();
      };
      return setTimeout(onTime, sweepMs).unref();
    });
  }

  #countNoted(): void {
    const noted = this.#noted;
    this.#noted = [];
    for (const one of noted) {
      const { collection, mode, typist } = one.search;
      const waiting = { text: one.text, tenant: collection.for.tenant, count: countOf(one) };
      const done = this.#bursts.add(`${collection.id}/${mode}/${typist}`, waiting.tenant, waiting, one.now);
      if (done) this.#count(done);
    }
  }

  #sweep(now: number): void {
    this.#countNoted();
    for (const rested of this.#bursts.takeRested(now)) this.#count(rested);
  }

  #count({ tenant, count }: Waiting): void {
    const { collectionId, day, mode, key } = count;
    this.#searches.put(tenant, `${collectionId}/${day}/${mode}/${key}`, count);
  }
}

function countOf({ search, at, text, key }: Noted): QueryCount {
  const { collection, mode, found, tookMs } = search;
  const withoutResults = found === 0 ? 1 : 0;
  return {
    collectionId: collection.id,
    day: dayOf(at),
    mode,
    key,
    query: text,
    searches: 1,
    withoutResults,
    found,
    tookMs,
  };
}

/** Into the one that waits. */
function sumOf(waiting: QueryCount, added: QueryCount): QueryCount {
  waiting.searches += added.searches;
  waiting.withoutResults += added.withoutResults;
  waiting.found += added.found;
  waiting.tookMs += added.tookMs;
  return waiting;
}

const dayMs = 24 * 60 * 60_000;
/** The day that was asked for last: to write one down takes a tenth of what a search costs here. */
let known = { day: Number.NaN, text: '' };

/** YYYY-MM-DD, in UTC. */
export function dayOf(moment: Date): string {
  const day = Math.floor(moment.getTime() / dayMs);
  if (day !== known.day) known = { day, text: moment.toISOString().slice(0, 10) };
  return known.text;
}
