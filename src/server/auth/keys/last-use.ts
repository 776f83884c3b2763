import { sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';

/** When keys were last used, to the minute. */
export interface LastUse {
  /** Answers the last use as it is to be remembered by whoever asks again. */
  note(keyId: number, stored: Date | null, now: Date): Date;
  /** Uses that the record does not hold yet, by key. */
  pending(): Map<number, Date>;
  flush(): Promise<void>;
}

const minuteMs = 60_000;
/** Far more keys than are used within seconds. */
const keysMax = 10_000;

export function createLastUse(record: RecordStore, log: Log): LastUse {
  const uses = new WriteBehind<Date>({
    record,
    log,
    what: 'last uses of API keys',
    keysMax,
    merge: (waiting, added) => (added.getTime() - waiting.getTime() < minuteMs ? waiting : added),
    write: writeUses,
  });
  return {
    note(keyId, stored, now) {
      if (stored && now.getTime() - stored.getTime() < minuteMs) return stored;
      uses.put(String(keyId), now);
      return now;
    },
    pending: () => new Map([...uses.pending()].map(([keyId, at]) => [Number(keyId), at])),
    flush: () => uses.flush(),
  };
}

async function writeUses(db: Database, batch: [keyId: string, at: Date][]): Promise<void> {
  const rows = JSON.stringify(batch.map(([id, at]) => ({ id, at })));
  await db.execute(
    sql`update ${apiKeys} set last_used_at = used.at
        from json_to_recordset(${rows}::text::json) as used (id bigint, at timestamptz)
        where ${apiKeys}.id = used.id and (last_used_at is null or last_used_at < used.at)`,
  );
}
