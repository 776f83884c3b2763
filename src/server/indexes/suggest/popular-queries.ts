import type { Sql } from 'postgres';
import type { RecordStore } from '#server/db/client.ts';
import { databaseUnavailable, toRecordError } from '#server/db/record-error.ts';
import { type Token, tokenize } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import { within } from '#server/within.ts';
import { limits } from '#shared/limits.ts';
import type { CollectionHandle } from '../indexes.ts';
import { KeptLists } from './kept-lists.ts';

type Collection = Pick<CollectionHandle, 'id' | 'for'>;

/** A text that may complete what is typed. */
export interface Completion {
  text: string;
  words: Token[];
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
const answerWithinMs = 3_000;
/** A collection that was searched since is read again so soon. */
const rereadAfterMs = { outdated: 30_000, anyway: 5 * 60_000 };
/** Searches of the last days count several times: what is searched for more than before comes up. */
const countedDays = 30;
const recentDays = 7;
const recentWeight = 3;
const dayMs = 24 * 60 * 60_000;
/** Of an object with two numbers and a text. */
const wordBytes = 120;

/**
 * What the users of a collection search for and find, as suggestions for others: queries that were searched for a few times, as one that
 * only one person knows may say something of that person. The most frequent ones first.
 */
export class PopularQueries {
  readonly #parts: PopularQueriesParts;
  readonly #kept: KeptLists<Completion[]>;

  constructor(parts: PopularQueriesParts) {
    const { log, now } = parts;
    this.#parts = parts;
    this.#kept = new KeptLists({ log, now, what: 'popular queries', rereadAfterMs, bytesOf });
  }

  /** @throws AppError UNAVAILABLE where nothing is known and the record cannot be asked */
  of(collection: Collection): Promise<Completion[]> {
    const { id, for: requester } = collection;
    const { record, clock } = this.#parts;
    const queries = this.#kept.of(collection, async () => {
      const texts = await selectPopular(record.as(requester.tenant).sql, id, clock());
      return texts.map((text) => ({ text, words: tokenize(text) }));
    });
    return within(queries, answerWithinMs, databaseUnavailable);
  }

  /** Searches of these collections are in the record. */
  noteWritten(collectionIds: number[]): void {
    for (const id of collectionIds) this.#kept.outdate(id);
  }

  drop(collectionId: number): void {
    this.#kept.drop(collectionId);
  }
}

function bytesOf(completions: Completion[]): number {
  return completions.reduce((sum, { text, words }) => sum + 2 * text.length + wordBytes * words.length, 0);
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
