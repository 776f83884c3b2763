import { sql } from 'drizzle-orm';
import type { RecordStore } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import type { Log } from '#server/log.ts';

/** When keys were last used, to the minute: noted in memory, written together, never in a request's way. */
export interface LastUse {
  note(keyId: number, stored: Date | null, now: Date): void;
  flush(): Promise<void>;
}

const minuteMs = 60_000;
const flushAfterMs = 5_000;
/** Far more keys than are used within seconds; beyond it a use goes unrecorded until the next flush. */
const pendingMax = 10_000;

export function createLastUse(record: RecordStore, log: Log): LastUse {
  let pending = new Map<number, Date>();
  let timer: NodeJS.Timeout | null = null;

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.size === 0) return;
    const batch = [...pending];
    pending = new Map();
    const rows = sql.join(
      batch.map(([id, at]) => sql`(${id}::bigint, ${at.toISOString()}::timestamptz)`),
      sql`, `,
    );
    await record.write((tx) =>
      tx.execute(
        sql`update ${apiKeys} set last_used_at = used.at from (values ${rows}) as used (id, at)
            where ${apiKeys}.id = used.id and (last_used_at is null or last_used_at < used.at)`,
      ),
    );
  }

  return {
    note(keyId, stored, now) {
      if (stored && now.getTime() - stored.getTime() < minuteMs) return;
      if (pending.size >= pendingMax || pending.has(keyId)) return;
      pending.set(keyId, now);
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => log.warn('last use of keys was not written', { error }));
      }, flushAfterMs).unref();
    },
    flush,
  };
}
