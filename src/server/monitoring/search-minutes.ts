import { and, gte, sql, sum } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections } from '#server/db/schema/collections.ts';
import { searchMinutes } from '#server/db/schema/monitoring.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';

interface Waiting {
  collectionId: number;
  at: number;
  searches: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const keysMax = 10_000;

/** Searches by collection and minute, for how often each is asked in an hour. */
export class SearchMinutes {
  readonly #clock: () => Date;
  readonly #waiting: WriteBehind<Waiting>;

  constructor({ record, log, clock }: { record: Pick<RecordStore, 'write'>; log: Log; clock: () => Date }) {
    this.#clock = clock;
    this.#waiting = new WriteBehind<Waiting>({
      record,
      log,
      what: 'searches by minute',
      keysMax,
      merge: (waiting, added) => ({ ...waiting, searches: waiting.searches + added.searches }),
      write: (db, batch) =>
        writeSearches(
          db,
          batch.map(([, waiting]) => waiting),
        ),
    });
  }

  note(collectionId: number): void {
    const at = Math.floor(this.#clock().getTime() / minuteMs) * minuteMs;
    const key = `${collectionId}/${at}`;
    const waiting = this.#waiting.waiting(key);
    if (waiting) waiting.searches += 1;
    else this.#waiting.put(key, { collectionId, at, searches: 1 });
  }

  /** Within the last hour, by collection; those without a search are left out. */
  readHour(db: ReadDatabase, collectionIds: number[]): Promise<Map<number, number>> {
    const since = new Date(this.#clock().getTime() - hourMs);
    return this.#waiting.readWith(async (pending) => {
      const rows = await db
        .select({ id: searchMinutes.collectionId, searches: sum(searchMinutes.searches).mapWith(Number) })
        .from(searchMinutes)
        .where(and(isAnyOf(searchMinutes.collectionId, collectionIds), gte(searchMinutes.at, since)))
        .groupBy(searchMinutes.collectionId);
      const found = new Map(rows.map(({ id, searches }) => [id, searches]));
      for (const { collectionId, at, searches } of pending.values()) {
        if (!collectionIds.includes(collectionId) || at < since.getTime()) continue;
        found.set(collectionId, (found.get(collectionId) ?? 0) + searches);
      }
      return found;
    });
  }

  stop(): Promise<void> {
    return this.#waiting.stop();
  }
}

/** Collections purged meanwhile drop out. */
async function writeSearches(db: Database, batch: Waiting[]): Promise<void> {
  const rows = JSON.stringify(batch.map(({ at, ...counts }) => ({ ...counts, at: new Date(at) })));
  await db.execute(
    sql`with counted as (
          select * from json_to_recordset(${rows}::text::json) as counted ("collectionId" bigint, at timestamptz, searches integer)
        ),
          kept as (select id from ${collections} where id in (select "collectionId" from counted) order by id for key share)
        insert into ${searchMinutes} as s (collection_id, at, searches)
        select "collectionId", at, searches from counted where "collectionId" in (select id from kept) order by 1, 2
        on conflict (collection_id, at) do update set searches = s.searches + excluded.searches`,
  );
}
