import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { PLAN_LIMITS } from '#shared/plans.ts';
import type { Usage } from '#shared/usage.ts';
import type { RecordStore } from '../db/client.ts';
import { monthlyRequests } from '../db/schema/activity.ts';
import { workspaces } from '../db/schema/workspaces.ts';
import { createLog } from '../log.ts';
import { type Credentials, call, createTenant, origin } from '../testing/callers.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { openTestRecord } from '../testing/open-record.ts';
import { statementsOf } from '../testing/statements.ts';
import { monthOf } from './month.ts';
import { RequestQuota } from './request-quota.ts';

const limit = PLAN_LIMITS.free.requests ?? 0;

describe('the requests of a month', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ database: 'bundled', settings: { quotas: true } });
  });
  afterAll(() => kit.close());

  /** With so many requests left this month. */
  async function tenant(left: number) {
    const { owner, project, key, collection } = await createTenant(kit);
    const { id } = owner.workspace;
    await kit.deps.quotas.requests.flush();
    await kit.deps.record.write(async (db) => {
      const month = { workspaceId: id, month: monthOf(new Date()).start, requests: limit - left };
      const { workspaceId: target, month: start } = monthlyRequests;
      await db
        .insert(monthlyRequests)
        .values(month)
        .onConflictDoUpdate({ target: [target, start], set: month });
      // As any change of a workspace, this makes servers ask again.
      await db.update(workspaces).set({ plan: 'free' }).where(eq(workspaces.id, id));
    });
    return { owner, id, key, project, collection };
  }

  const list = (as: Credentials) => call<ErrorBody>(kit, { method: 'GET', path: '/api/collections', as });
  const used = async (as: Credentials, query = '') => {
    const { body } = await call<Usage>(kit, { method: 'GET', path: `/api/usage${query}`, as });
    return body.quotas.requests;
  };

  test('end with a refusal until the next month, before anything is done', async () => {
    const { key } = await tenant(3);
    const answers = await Promise.all(Array.from({ length: 5 }, () => list(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const { end } = monthOf(new Date());
    const refused = await list(key);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining(`used ${limit} of the ${limit} requests a month of its plan "free"`),
      details: [{ path: 'quotas.requests', message: `used ${limit}, limit ${limit}` }],
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect(Math.abs(wait - (end.getTime() - Date.now()) / 1_000)).toBeLessThan(60);
    let isRead = false;
    const pull = () => {
      isRead = true;
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { host: 'localhost', 'x-api-key': key.key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const path = '/api/collections/things/documents/import';
    const send = async () => {
      expect((await kit.app.request(`${origin}${path}`, init)).status).toBe(429);
    };
    // Timers send theirs now and then.
    await expect.poll(() => statementsOf(kit.deps.record, send)).toEqual([]);
    expect(isRead).toBe(false);
  });

  test('are seen and managed by who has used them, and are nobody else’s', async () => {
    const { owner, id, key, project } = await tenant(1);
    const stranger = await tenant(5);
    expect((await list(key)).status).toBe(200);
    expect((await list(key)).status).toBe(429);
    const path = `/api/projects/${project.id}`;
    expect((await call(kit, { method: 'GET', path, as: owner.as })).status).toBe(429);
    expect(await used(key)).toEqual({ used: limit, limit, resetsAt: monthOf(new Date()).end.toISOString() });
    expect((await used(owner.as, `?workspaceId=${id}`)).used).toBe(limit);
    const console = `/trpc/projects.get?input=${encodeURIComponent(JSON.stringify({ id: project.id }))}`;
    expect((await call(kit, { method: 'GET', path: console, as: owner.as })).status).toBe(200);
    expect((await list(stranger.key)).status).toBe(200);
    expect((await used(stranger.key)).used).toBe(limit - 4);
  });

  /** So many searches in one request. */
  const searchIn = (as: Credentials, collection: string | number, { searches = 1, isMerged = false }) =>
    call<ErrorBody>(kit, {
      method: 'POST',
      path: '/api/multi-search',
      as,
      body: {
        searches: Array.from({ length: searches }, (_, i) => ({
          collection: i === 0 ? collection : 'none',
          query: 'x',
        })),
        ...(isMerged && { merge: {} }),
      },
    });

  test.each([false, true])(
    'each search of several counts, or none is made, also as one list: %s',
    async (isMerged) => {
      const { key } = await tenant(5);
      const search = (searches: number) => searchIn(key, 'things', { searches, isMerged });
      expect((await search(3)).status).toBe(200);
      expect((await used(key)).used).toBe(limit - 2);
      const refused = await search(3);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({
        message: expect.stringContaining('and these would be 2'),
        details: [{ path: 'quotas.requests', message: `used ${limit - 1}, limit ${limit}` }],
      });
      expect((await search(1)).status).toBe(200);
      expect((await search(1)).status).toBe(429);
      expect((await used(key)).used).toBe(limit);
    },
  );

  test('each search of a comparison counts, or none is made', async () => {
    const { key } = await tenant(4);
    const send = (path: string, body: object) =>
      call<ErrorBody>(kit, { method: 'POST', path: `/api/collections/things/${path}`, as: key, body });
    expect((await send('judgements', { query: 'x', document: 'y', grade: 1 })).status).toBe(201);
    const compare = () => send('judgements/compare', { mode: 'keyword', draft: {} });
    expect((await compare()).status).toBe(200);
    expect((await used(key)).used).toBe(limit - 1);
    expect((await compare()).status).toBe(429);
    expect((await used(key)).used).toBe(limit);
  });

  test('each search of a calibration counts, or none is made', async () => {
    const { key } = await tenant(4);
    const send = (path: string, body: object) =>
      call<ErrorBody>(kit, { method: 'POST', path: `/api/collections/things/${path}`, as: key, body });
    expect((await send('judgements', { query: 'x', document: 'y', grade: 1 })).status).toBe(201);
    // It is not enough, which is known once it was searched for.
    expect((await send('calibration', { mode: 'keyword' })).status).toBe(422);
    expect((await used(key)).used).toBe(limit - 2);
  });

  test('searches of a session count for the workspace of what is searched', async () => {
    const { owner, id, key, collection } = await tenant(6);
    expect((await list(key)).status).toBe(200);
    const search = (searches: number) => {
      const each = Array.from({ length: searches }, () => ({ collection: collection.id, query: 'x' }));
      return call<ErrorBody>(kit, {
        method: 'POST',
        path: '/api/multi-search',
        as: owner.as,
        // What is not found is nobody's.
        body: { searches: [{ collection: 'none', query: 'x' }, ...each] },
      });
    };
    expect((await search(3)).status).toBe(200);
    expect((await used(owner.as, `?workspaceId=${id}`)).used).toBe(limit - 2);
    expect((await search(3)).status).toBe(429);
  });

  test('calls over tRPC count each for itself; people manage on when none is left', async () => {
    const { owner, id, key, project, collection } = await tenant(4);
    expect((await list(key)).status).toBe(200);
    const batch = (as: Credentials, name: string, input: object, calls: number) => {
      const inputs = Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, input]));
      const path = `/trpc/${Array(calls).fill(name).join()}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
      return call<{ error?: { data: { httpStatus: number; appCode: string } } }[]>(kit, {
        method: 'GET',
        path,
        as,
      });
    };
    const outcomes = async (as: Credentials, calls: number) => {
      const { body } = await batch(as, 'collections.get', { collection: String(collection.id) }, calls);
      return body.map(({ error }) => error?.data.httpStatus ?? 200).sort();
    };
    expect(await outcomes(owner.as, 2)).toEqual([200, 200]);
    expect(await outcomes(key, 2)).toEqual([200, 429]);
    expect(await outcomes(owner.as, 1)).toEqual([429]);
    const managed = await batch(owner.as, 'projects.get', { id: project.id }, 2);
    expect(managed.body.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect((await used(owner.as, `?workspaceId=${id}`)).used).toBe(limit + 2);
    const usage = await batch(owner.as, 'usage.get', { workspaceId: id }, 1);
    expect(usage.body[0]?.error).toBeUndefined();
    expect((await used(owner.as, `?workspaceId=${id}`)).used).toBe(limit + 2);
  });

  test('are more from the moment on when the plan gives more', async () => {
    const { id, key } = await tenant(0);
    expect((await list(key)).status).toBe(429);
    await kit.deps.record.write(async (db) => {
      await db.update(workspaces).set({ plan: 'starter' }).where(eq(workspaces.id, id));
    });
    expect((await list(key)).status).toBe(200);
    expect(await used(key)).toMatchObject({ used: limit + 1, limit: PLAN_LIMITS.starter.requests });
  });
});

describe('servers that share a record', () => {
  let record: RecordStore;
  let close: () => Promise<void>;
  let workspaceId = 0;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord());
  });
  afterAll(() => close());
  beforeEach(async () => {
    workspaceId = await record.write(async (db) => {
      const [made] = await db.insert(workspaces).values({ name: 'w', slug: 'w' }).returning();
      return made?.id ?? 0;
    });
  });

  const { clock, jump } = fakeClock(new Date('2026-01-31T23:59:00.000Z'));
  const log = createLog('silent');
  const server = () => new RequestQuota({ record, log, clock, isEnforced: true });

  test('add up, and a month begins with none', async () => {
    const [one, other] = [server(), server()];
    for (let i = 0; i < 3; i += 1) await one.take(workspaceId);
    await other.take(workspaceId);
    // Each knows its own until they are written.
    expect([await one.used(record.db, workspaceId), await other.used(record.db, workspaceId)]).toEqual([
      3, 1,
    ]);
    await Promise.all([one.flush(), other.flush()]);
    expect([await one.used(record.db, workspaceId), await other.used(record.db, workspaceId)]).toEqual([
      4, 4,
    ]);
    jump(2 * 60_000);
    await one.take(workspaceId);
    expect(await one.used(record.db, workspaceId)).toBe(1);
    await Promise.all([one.stop(), other.stop()]);
    const rows = await record.db
      .select()
      .from(monthlyRequests)
      .where(eq(monthlyRequests.workspaceId, workspaceId));
    expect(rows.map(({ month, requests }) => [month.toISOString().slice(0, 10), requests]).sort()).toEqual([
      ['2026-01-01', 4],
      ['2026-02-01', 1],
    ]);
  });

  /** As if so many had been counted this month. */
  async function useUp(requests: number): Promise<void> {
    const month = { workspaceId, month: monthOf(clock()).start, requests };
    await record.write((db) => db.insert(monthlyRequests).values(month));
  }

  test('let in no more than there are, whoever began', async () => {
    await useUp(limit - 2);
    const other = server();
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => other.take(workspaceId)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await other.stop();
    expect(await other.used(record.db, workspaceId)).toBe(limit);
  });

  test('let in more once the month is over', async () => {
    await useUp(limit);
    const one = server();
    await expect(one.take(workspaceId)).rejects.toThrow('requests a month');
    jump(31 * 24 * 60 * 60_000);
    await one.take(workspaceId);
    expect(await one.used(record.db, workspaceId)).toBe(1);
    await one.stop();
  });

  /** It hears what the record says once `answer` was called. */
  function lateServer() {
    let answer = () => {};
    const isHeard = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const late = { ...record, db: answeringLate(record.db, isHeard) };
    const one = new RequestQuota({ record: late, log, clock, isEnforced: true });
    return { one, answer };
  }

  test('are refused, too, when something of a workspace changes while they ask', async () => {
    await useUp(limit);
    const { one, answer } = lateServer();
    const first = one.take(workspaceId);
    await record.write((db) => db.update(workspaces).set({ plan: 'free' }));
    answer();
    await expect(first).rejects.toThrow('requests a month');
    await one.stop();
  });

  test('are refused, too, when something of a workspace changes while what is known of it is asked for again', async () => {
    await useUp(limit - 1);
    let isHeard = Promise.resolve();
    let answer = () => {};
    const late: RecordStore = {
      ...record,
      get db() {
        return answeringLate(record.db, isHeard);
      },
    };
    const one = new RequestQuota({ record: late, log, clock, isEnforced: true });
    await one.take(workspaceId);
    const later = performance.now() + 31_000;
    const now = vi.spyOn(performance, 'now').mockReturnValue(later);
    isHeard = new Promise((resolve) => {
      answer = resolve;
    });
    expect(() => one.takeNow(workspaceId)).toThrow('requests a month');
    now.mockRestore();
    await record.write((db) => db.update(workspaces).set({ plan: 'free' }));
    const next = one.take(workspaceId);
    answer();
    await expect(next).rejects.toThrow('requests a month');
    await one.stop();
  });

  test('do not take a plan for the one of now that was another by the time they heard of it', async () => {
    await useUp(limit);
    const { one, answer } = lateServer();
    const first = one.take(workspaceId);
    await record.write(async (db) => {
      await db.update(workspaces).set({ plan: 'starter' }).where(eq(workspaces.id, workspaceId));
    });
    answer();
    await first;
    await one.take(workspaceId);
    await one.stop();
  });

  test('of a workspace that is purged meanwhile are nobody’s, and those of others are written', async () => {
    const [purged, one] = [workspaceId, server()];
    const other = await record.write(async (db) => {
      const [made] = await db.insert(workspaces).values({ name: 'other', slug: 'other' }).returning();
      return made?.id ?? 0;
    });
    for (const id of [purged, other]) await one.take(id);
    await record.write((db) => db.delete(workspaces).where(eq(workspaces.id, purged)));
    for (const id of [purged, other]) await one.take(id);
    await one.stop();
    expect([await one.used(record.db, purged), await one.used(record.db, other)]).toEqual([0, 2]);
  });

  test('let requests in that they cannot ask about, and count them', async () => {
    const one = server();
    await record.sql`alter table monthly_requests rename to monthly_requests_away`;
    await one.take(workspaceId);
    await record.sql`alter table monthly_requests_away rename to monthly_requests`;
    expect(await one.used(record.db, workspaceId)).toBe(1);
    await one.stop();
  });
});

/** Queries are sent at once, and what they answer is heard after `isHeard`. */
function answeringLate<T extends object>(query: T, isHeard: Promise<void>): T {
  return new Proxy(query, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'then') {
          const [resolve] = args as [(rows: unknown) => void];
          return member.call(target, (rows: unknown) => isHeard.then(() => resolve(rows)), args[1]);
        }
        const next: unknown = member.apply(target, args);
        return typeof next === 'object' && next !== null ? answeringLate(next, isHeard) : next;
      };
    },
  });
}
