import { eq, inArray, sql } from 'drizzle-orm';
import type { RecordStore } from '#server/db/client.ts';
import { wrongPasswords } from '#server/db/schema/accounts.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { triesForgottenAfterMs } from './try-counts.ts';

/**
 * Wrong passwords in the record, so that servers which share it count together and one that starts again has not forgotten. Rows are
 * buckets: keys that share one count together, and there are never more than a million. Who shares one goes by the application secret,
 * so that nobody outside can choose an address or an account that counts with another one, or clears its count.
 */
export interface WrongPasswords {
  /** What was counted under each of these keys. */
  read(keys: string[]): Promise<Map<string, { count: number; agoMs: number }>>;
  count(keys: string[]): Promise<void>;
  /** Of its bucket, whoever counted there: by chance, one key in a million shares it. */
  clear(key: string): Promise<void>;
}

const bucketBits = 20;

export function createWrongPasswords(record: RecordStore, secrets: Pick<SecretBox, 'sign'>): WrongPasswords {
  const { bucket, tries, triedAt } = wrongPasswords;
  const bucketOf = (key: string) =>
    Buffer.from(secrets.sign('wrong-passwords', key), 'base64url').readUInt32BE() >>> (32 - bucketBits);
  const isForgotten = sql`${triedAt} < now() - ${triesForgottenAfterMs / 1000} * interval '1 second'`;
  return {
    async read(keys) {
      const rows = await record.db
        .select({
          bucket,
          tries,
          agoMs: sql<number>`extract(epoch from now() - ${triedAt})::float8 * 1000`,
        })
        .from(wrongPasswords)
        .where(inArray(bucket, keys.map(bucketOf)));
      const found = new Map(rows.map((row) => [row.bucket, { count: row.tries, agoMs: row.agoMs }]));
      return new Map(
        keys.flatMap((key) => {
          const row = found.get(bucketOf(key));
          return row && row.agoMs < triesForgottenAfterMs ? [[key, row] as const] : [];
        }),
      );
    },
    async count(keys) {
      // In the order of the buckets, so that two servers never wait for each other.
      const buckets = [...new Set(keys.map(bucketOf))].sort((a, b) => a - b);
      await record.write(
        (tx) =>
          tx
            .insert(wrongPasswords)
            .values(buckets.map((one) => ({ bucket: one, tries: 1 })))
            .onConflictDoUpdate({
              target: bucket,
              set: {
                tries: sql`case when ${isForgotten} then 1 else ${tries} + 1 end`,
                triedAt: sql`now()`,
              },
            }),
        { mayUseReserve: true },
      );
    },
    async clear(key) {
      await record.write((tx) => tx.delete(wrongPasswords).where(eq(bucket, bucketOf(key))), {
        mayUseReserve: true,
      });
    },
  };
}
