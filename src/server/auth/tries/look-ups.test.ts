import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { administer } from '#server/testing/databases.ts';
import { countLockWaits } from '#server/testing/lock-waits.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { from, makeTestAuth, newAccount } from '#server/testing/test-auth.ts';
import { makeApiKey } from '../keys/key-format.ts';

const addresses = Array.from({ length: 10_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);

describe('a flood from ten thousand addresses, one guess each', () => {
  let record: RecordStore;
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, url, close } = await openTestRecord());
  });
  afterAll(() => close());

  /** How many statements wait for the table, at as many connections. */
  const waiting = () => countLockWaits(url, '%api_keys%');

  test('of keys that nobody has: they have a part of the connections, and who is known writes', async () => {
    const { auth } = makeTestAuth(record, { databaseWaitMs: 3_000 });
    // Statements about keys are not answered meanwhile.
    await administer(url, (other) =>
      other.begin(async (tx) => {
        await tx`lock table api_keys in access exclusive mode`;
        const flood = addresses.map((address) =>
          auth.authenticateKey(makeApiKey(), address).catch(({ code }: { code: string }) => code),
        );
        await expect.poll(waiting).toBe(2);
        const writes = Array.from({ length: 20 }, () => record.write((db) => db.execute(sql`select 1`)));
        await Promise.all(writes);
        await auth.register(newAccount(), from('198.51.100.7')).catch((error: unknown) => {
          // A stranger too, of whom there are too many.
          expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
        });
        expect(await waiting()).toBe(2);
        expect(new Set(await Promise.all(flood))).toEqual(new Set(['TOO_MANY_REQUESTS', 'UNAVAILABLE']));
      }),
    );
  });

  test('of session cookies that were made up: it costs no statement', async () => {
    const { auth } = makeTestAuth(record);
    const madeUp = (i: number) =>
      String(i)
        .padStart(40, 'a')
        .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
    const statements = await statementsOf(record, async () => {
      for (const [i, address] of addresses.entries())
        expect(await auth.authenticateSession(madeUp(i), address)).toBeNull();
    });
    expect(statements.filter((text) => text.includes('from "sessions"'))).toEqual([]);
  });

  test('of one session that has ended: it costs one', async () => {
    const { auth } = makeTestAuth(record);
    const { session } = await auth.register(newAccount(), from('198.51.100.8'));
    const found = await auth.authenticateSession(session.cookieValue);
    if (found) await auth.logout(found.principal);
    const ask = async () => {
      for (const address of addresses.slice(0, 100))
        expect(await auth.authenticateSession(session.cookieValue, address)).toBeNull();
    };
    const texts = await statementsOf(record, ask);
    expect(texts.filter((text) => text.includes('from "sessions"'))).toHaveLength(1);
  });
});
