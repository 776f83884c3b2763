import { sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { sessions } from '#server/db/schema/accounts.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';

/** When sessions were last seen, to five minutes. */
export interface LastSeen {
  /** Answers the moment as it is to be remembered by whoever asks again. */
  note(hashedId: string, stored: Date, now: Date): Date;
  flush(): Promise<void>;
}

const preciseMs = 5 * 60_000;
/** Far more sessions than are seen within seconds. */
const sessionsMax = 10_000;

export function createLastSeen(record: RecordStore, log: Log): LastSeen {
  const seen = new WriteBehind<Date>({
    record,
    log,
    what: 'moments at which sessions were last seen',
    keysMax: sessionsMax,
    merge: (waiting, added) => (added > waiting ? added : waiting),
    write: writeSeen,
  });
  return {
    note(hashedId, stored, now) {
      if (now.getTime() - stored.getTime() < preciseMs) return stored;
      seen.put(hashedId, now);
      return now;
    },
    flush: () => seen.flush(),
  };
}

async function writeSeen(db: Database, batch: [hashedId: string, at: Date][]): Promise<void> {
  const rows = JSON.stringify(batch.map(([id, at]) => ({ id, at })));
  await db.execute(
    sql`update ${sessions} set last_seen_at = seen.at
        from json_to_recordset(${rows}::text::json) as seen (id text, at timestamptz)
        where ${sessions}.id = seen.id and last_seen_at < seen.at`,
  );
}
