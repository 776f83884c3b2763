import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { sessions, users } from '#server/db/schema/accounts.ts';
import { createLog } from '#server/log.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { openTestRecord, poolOf } from '#server/testing/open-record.ts';
import { createKnownCallers } from '../known/known-callers.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createSessionIds } from './session-ids.ts';
import { createSessions, hashSessionId } from './sessions.ts';

const dayMs = 24 * 60 * 60 * 1000;
const begun = {
  from: { address: '192.0.2.1', userAgent: null },
  shown: { passwordHash: 'none', code: false },
};

describe('sessions', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  let userId: number;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
    const person = {
      email: 'ada@example.org',
      emailKey: 'ada@example.org',
      username: 'ada',
      usernameKey: 'ada',
    };
    const [user] = await poolOf(record)
      .insert(users)
      .values({ ...person, passwordHash: 'none' })
      .returning();
    if (!user) throw new Error('no user');
    userId = user.id;
  });
  afterAll(() => close());

  function makeSessions() {
    const { clock, pass } = fakeClock();
    const start = clock().getTime();
    return {
      sessions: createSessions({
        record,
        known: createKnownCallers({ record, clock, settings: { databaseWaitMs: 60_000 } }).sessions,
        ids: createSessionIds(createSecretBox('a secret for tests, long enough to be one')),
        lookUps: (_, ask) => ask(),
        lastSeen: { note: (_, stored) => stored },
        clock,
        log: createLog('silent'),
      }),
      passDays: (days: number) => pass(days * dayMs),
      dayOf: (moment: Date | undefined) => ((moment?.getTime() ?? Number.NaN) - start) / dayMs,
    };
  }

  test('each session has an id of its own with at least 128 random bits', async () => {
    const { sessions: own } = makeSessions();
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await own.create(userId, begun)).id),
    );
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[a-z2-7]{40}$/);
    // What each place varies by among so few ids is a lower bound of its random bits.
    const places = Array.from({ length: 40 }, (_, place) => new Set(ids.map((id) => id[place])).size);
    expect(places.reduce((bits, characters) => bits + Math.log2(characters), 0)).toBeGreaterThan(128);
  });

  test('left alone for seven days it is over, and its row is gone', async () => {
    const { sessions: own, passDays } = makeSessions();
    const { id } = await own.create(userId, begun);
    passDays(7);
    expect(await own.validate(id)).toBeNull();
    const left = await record.db.select({ id: sessions.id }).from(sessions);
    expect(left.map((row) => row.id)).not.toContain(hashSessionId(id));
  });

  test('it is renewed in the second half of its idle time only', async () => {
    const { sessions: own, passDays, dayOf } = makeSessions();
    const { id, expiresAt } = await own.create(userId, begun);
    expect(dayOf(expiresAt)).toBe(7);
    passDays(3.4);
    const early = await own.validate(id);
    expect([early?.isRenewed, dayOf(early?.expiresAt)]).toEqual([false, 7]);
    passDays(0.2);
    const late = await own.validate(id);
    expect([late?.isRenewed, dayOf(late?.expiresAt)]).toEqual([true, 10.6]);
    const again = await own.validate(id);
    expect([again?.isRenewed, dayOf(again?.expiresAt)]).toEqual([false, 10.6]);
  });

  test('used every day it ends 30 days after it began', async () => {
    const { sessions: own, passDays, dayOf } = makeSessions();
    const { id } = await own.create(userId, begun);
    for (let day = 1; day < 30; day++) {
      passDays(1);
      const session = await own.validate(id);
      expect(session, `day ${day}`).not.toBeNull();
      expect(dayOf(session?.expiresAt)).toBeLessThanOrEqual(30);
      if (day > 27) expect([session?.isRenewed, dayOf(session?.expiresAt)]).toEqual([false, 30]);
    }
    passDays(1);
    expect(await own.validate(id)).toBeNull();
  });

  test('one that was asked for a moment ago ends at its hour all the same', async () => {
    const { sessions: own, passDays } = makeSessions();
    const minute = 1 / (24 * 60);
    const { id } = await own.create(userId, begun);
    for (let day = 1; day < 30; day++) {
      passDays(1);
      await own.validate(id);
    }
    passDays(1 - 0.5 * minute);
    expect(await own.validate(id)).not.toBeNull();
    passDays(0.6 * minute);
    expect(await own.validate(id)).toBeNull();
  });

  test('a logout that races a renewal wins', async () => {
    for (let round = 0; round < 20; round++) {
      const { sessions: own, passDays } = makeSessions();
      const { id } = await own.create(userId, begun);
      passDays(5);
      await Promise.all([own.validate(id), own.end(hashSessionId(id)), own.validate(id)]);
      expect(await own.validate(id)).toBeNull();
    }
  });

  test('an unknown id is nobody', async () => {
    const { sessions: own } = makeSessions();
    expect(await own.validate('a'.repeat(40))).toBeNull();
  });
});
