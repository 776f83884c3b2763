import type { Sql } from 'postgres';
import type { RecordStore } from '#server/db/client.ts';
import { databaseUnavailable, toRecordError } from '#server/db/record-error.ts';
import { type Token, tokenize } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { within } from '#server/within.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle } from '../indexes.ts';

type Collection = Pick<CollectionHandle, 'id' | 'for'>;

/** A text that may complete what is typed. */
export interface Completion {
  text: string;
  words: Token[];
}

interface Kept {
  /** The most frequent ones first. */
  queries: Completion[];
  readAt: number;
  /** Searches were written since. */
  isOutdated: boolean;
}

interface PopularQueriesParts {
  record: Pick<RecordStore, 'as'>;
  log: Log;
  clock: () => Date;
  /** Milliseconds that only grow. */
  now: () => number;
}

/** Of a collection. */
const queriesMax = 1_000;
const bounds = { entriesMax: 1_000, sizeMax: 16 * 1024 * 1024 };
const answerWithinMs = 3_000;
/** A collection that is searched here is read again so often; one that others search, so often. */
const rereadAfterMs = 30_000;
const rereadAnywayAfterMs = 5 * 60_000;
/** Searches of the last days count several times: what is searched for more than before comes up. */
const countedDays = 30;
const recentDays = 7;
const recentWeight = 3;
const dayMs = 24 * 60 * 60_000;

/**
 * What the users of a collection search for and find, as suggestions for others: queries that were searched for a few times, as one that
 * only one person knows may say something of that person. Read once, and again beside whoever asks.
 */
export class PopularQueries {
  readonly #parts: PopularQueriesParts;
  readonly #kept = new RecentMap<Kept>(bounds);
  readonly #reading = new Map<number, Promise<Completion[]>>();

  constructor(parts: PopularQueriesParts) {
    this.#parts = parts;
  }

  /** @throws AppError UNAVAILABLE where nothing is known and the record cannot be asked */
  async of(collection: Collection): Promise<Completion[]> {
    const kept = this.#kept.get(String(collection.id));
    if (kept === undefined) return await within(this.#read(collection), answerWithinMs, databaseUnavailable);
    if (this.#isDue(kept)) this.#readBeside(collection, kept);
    return kept.queries;
  }

  /** Searches of these collections are in the record. */
  noteWritten(collectionIds: number[]): void {
    for (const id of collectionIds) {
      const kept = this.#kept.peek(String(id));
      if (kept) kept.isOutdated = true;
    }
  }

  drop(collectionId: number): void {
    this.#kept.delete(String(collectionId));
  }

  #isDue({ readAt, isOutdated }: Kept): boolean {
    const age = this.#parts.now() - readAt;
    return age > (isOutdated ? rereadAfterMs : rereadAnywayAfterMs);
  }

  #readBeside(collection: Collection, kept: Kept): void {
    this.#read(collection).catch((error: unknown) => {
      // It is tried again after as long as if it had been read.
      kept.readAt = this.#parts.now();
      this.#parts.log.warn('the popular queries of a collection were not read', {
        collectionId: collection.id,
        error,
      });
    });
  }

  /** One for all who ask at the same time. */
  #read({ id: collectionId, for: { tenant } }: Collection): Promise<Completion[]> {
    const underWay = this.#reading.get(collectionId);
    if (underWay) return underWay;
    const { record, clock, now } = this.#parts;
    const reading = selectPopular(record.as(tenant).sql, collectionId, clock())
      .then((texts) => {
        const queries = texts.map((text) => ({ text, words: tokenize(text) }));
        const size = texts.reduce((sum, { length }) => sum + length, 0);
        this.#kept.set(String(collectionId), { queries, readAt: now(), isOutdated: false }, size);
        return queries;
      })
      .finally(() => this.#reading.delete(collectionId));
    this.#reading.set(collectionId, reading);
    return reading;
  }
}

async function selectPopular(sql: Sql, collectionId: number, today: Date): Promise<string[]> {
  const dayBefore = (days: number) => new Date(today.getTime() - days * dayMs).toISOString().slice(0, 10);
  try {
    const rows = await sql<{ query: string }[]>`
      select query from search_queries
      where collection_id = ${collectionId} and day > ${dayBefore(countedDays)}::date and query <> '*'
      group by query
      having sum(searches - without_results) >= ${limits.suggestedSearchesMin}
      order by sum((searches - without_results)
        * case when day > ${dayBefore(recentDays)}::date then ${recentWeight}::integer else 1 end) desc,
        query collate "C"
      limit ${queriesMax}`;
    return rows.map(({ query }) => query);
  } catch (error) {
    throw toRecordError(error) ?? error;
  }
}
