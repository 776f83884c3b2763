import { and, gte, sql, sum } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { keyCounters } from '#server/db/schema/activity.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';

interface KeyCounter {
  keyId: number;
  /** Its start, ms since 1970. */
  hour: number;
  requests: number;
}

/** API requests by key and hour. */
export interface KeyUsage {
  count(keyId: number, hour: number): void;
  /** Of each of these keys that has any, with those that are not written yet. */
  requestsSince(db: ReadDatabase, keyIds: number[], since: Date): Promise<Map<number, number>>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Keys in use within some seconds; a batch is one statement. */
const keysMax = 10_000;

export function createKeyUsage({ record, log }: { record: RecordStore; log: Log }): KeyUsage {
  const counters = new WriteBehind<KeyCounter>({
    record,
    log,
    what: 'usage counters of API keys',
    keysMax,
    merge: (waiting, added) => ({ ...waiting, requests: waiting.requests + added.requests }),
    write: (db, batch) =>
      addCounters(
        db,
        batch.map(([, counter]) => counter),
      ),
  });
  return {
    count: (keyId, hour) => {
      const key = `${keyId}/${hour}`;
      const waiting = counters.waiting(key);
      if (waiting) waiting.requests += 1;
      else counters.put(key, { keyId, hour, requests: 1 });
    },
    requestsSince: (db, keyIds, since) =>
      counters.readWith(async (pending) => {
        const found = await readCounters(db, keyIds, since);
        for (const { keyId, hour, requests } of pending.values())
          if (keyIds.includes(keyId) && hour >= since.getTime())
            found.set(keyId, (found.get(keyId) ?? 0) + requests);
        return found;
      }),
    flush: () => counters.flush(),
    stop: () => counters.stop(),
  };
}

async function readCounters(db: ReadDatabase, keyIds: number[], since: Date): Promise<Map<number, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .select({ keyId: keyCounters.keyId, requests: sum(keyCounters.requests).mapWith(Number) })
    .from(keyCounters)
    .where(and(isAnyOf(keyCounters.keyId, keyIds), gte(keyCounters.hour, since)))
    .groupBy(keyCounters.keyId);
  return new Map(rows.map(({ keyId, requests }) => [keyId, requests]));
}

/** Adds to the counters in one statement. Keys deleted meanwhile drop out; the lock keeps the others until it is done. */
async function addCounters(db: Database, batch: KeyCounter[]): Promise<void> {
  const rows = JSON.stringify(
    batch.map(({ keyId, hour, requests }) => ({ key_id: keyId, hour: new Date(hour), requests })),
  );
  await db.execute(
    sql`with counted as (
          select * from json_to_recordset(${rows}::text::json)
            as counted (key_id bigint, hour timestamptz, requests bigint)
        ),
          kept as (select id from ${apiKeys} where id in (select key_id from counted) for key share)
        insert into ${keyCounters} (key_id, hour, requests)
        select key_id, hour, requests from counted where key_id in (select id from kept)
        on conflict (key_id, hour) do update set requests = ${keyCounters}.requests + excluded.requests`,
  );
}
