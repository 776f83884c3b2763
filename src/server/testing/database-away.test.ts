import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '#server/auth/keys/key-format.ts';
import { createSessionIds } from '#server/auth/sessions/session-ids.ts';
import type { ImportSummary } from '#shared/documents.ts';
import { type Credentials, call, createTenant, must, origin } from './callers.ts';
import { administer } from './databases.ts';
import { fakeClock } from './fake-clock.ts';
import { type Kit, startKit } from './kit.ts';
import { startBundled, type TestPostgres } from './test-postgres.ts';

/** What goes on while the record cannot be asked: reading, for those who were known, in what was loaded. */
describe('with the database away', () => {
  let postgres: TestPostgres;
  let kit: Kit;
  let pass: (ms: number) => void;
  let callers: { name: string; as: Credentials }[];
  beforeAll(async () => {
    postgres = await startBundled();
    const fake = fakeClock(new Date());
    pass = fake.pass;
    kit = await startKit({
      database: 'bundled',
      clock: fake.clock,
      settings: { databaseUrl: postgres.url, databaseWaitMs: 3_000 },
    });
    const { owner, key } = await createTenant(kit, { name: 'films', dimension: 384 });
    callers = [
      { name: 'key', as: key },
      { name: 'session', as: owner.as },
    ];
    await must(write(owner.as));
    await must(ask('POST', '/api/collections/films/synonyms', owner.as, { synonyms: ['solaris', 'planet'] }));
    await expectReads();
  });
  afterAll(async () => {
    await kit.close();
    await postgres.stop();
  });

  const ask = (method: string, path: string, as: Credentials, body?: unknown) =>
    call<{ found: number; title: string; results: { found: number }[] }>(kit, { method, path, as, body });
  const write = (as: Credentials, id = '1') =>
    ask('POST', '/api/collections/films/documents?action=upsert', as, { id, title: 'Solaris' });
  const search = (as: Credentials) => ask('GET', '/api/collections/films/search?query=solaris', as);
  const statusOf = async (path: string, as: Credentials = null) => (await ask('GET', path, as)).status;

  async function expectReads(): Promise<void> {
    for (const { name, as } of callers) {
      const { body } = await search(as);
      expect(body.found, `${name}: ${JSON.stringify(body)}`).toBe(1);
      const widened = await ask('GET', '/api/collections/films/search?query=planet', as);
      expect(widened.body.found, name).toBe(1);
      expect((await ask('GET', '/api/collections/films/documents/1', as)).body.title, name).toBe('Solaris');
      const searches = Array.from({ length: 3 }, () => ({ collection: 'films', query: 'solaris' }));
      const several = await ask('POST', '/api/multi-search', as, { searches });
      expect(
        several.body.results.map(({ found }) => found),
        name,
      ).toEqual([1, 1, 1]);
    }
  }

  async function expectRefusals(): Promise<void> {
    for (const { as } of callers) {
      for (const refused of [
        await write(as),
        await ask('POST', '/api/collections/films/documents/import', as, [{ id: '2' }, { id: '3' }]),
        await ask('POST', '/api/collections', as, { name: 'more', dimension: 384, projectId: 1 }),
        await ask('POST', '/api/collections/films/synonyms', as, { synonyms: ['a', 'b'] }),
        await ask('GET', '/api/collections/films/synonyms', as),
        await ask('DELETE', '/api/collections/films', as),
        await ask('GET', '/api/collections/films', as),
      ]) {
        expect(refused.status, JSON.stringify(refused.body)).toBe(503);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    // Nobody can say of these that they are nobody.
    expect((await search({ key: makeApiKey() })).status).toBe(503);
    const unknown = createSessionIds(kit.deps.secrets).make();
    expect((await search({ cookie: `vectora_session=${unknown}` })).status).toBe(503);
    expect((await search({ cookie: `vectora_session=${'a'.repeat(40)}` })).status).toBe(401);
    expect((await search({ key: 'not a key' })).status).toBe(401);
    expect(await statusOf('/health')).toBe(200);
    expect(await statusOf('/ready')).toBe(503);
  }

  /** Stops it in the middle of whatever it does, its connections open. Answers what lets it go on. */
  async function freeze(): Promise<() => void> {
    const pids = await administer(postgres.url, async (sql) => {
      const [first] = await sql`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`;
      const postmaster = Number(first?.['pid']);
      // The one that takes new connections first: one that came after the others were listed would go on.
      process.kill(postmaster, 'SIGSTOP');
      const others = await sql`
        select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
      return [postmaster, ...others.map((row) => Number(row['pid']))];
    });
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    };
  }

  test('stopped: known callers read on, for a day; writes and strangers are told to come back; then all is as before', async () => {
    await postgres.down();
    for (const later of [0, 60_000, 60 * 60_000]) {
      pass(later);
      await expectReads();
      await expectRefusals();
    }
    pass(24 * 60 * 60_000);
    for (const { as } of callers) expect((await search(as)).status).toBe(503);

    await postgres.up();
    for (const { as } of callers) {
      await expect.poll(async () => (await write(as)).status).toBe(200);
    }
    await expectReads();
    expect((await search({ key: makeApiKey() })).status).toBe(401);
    expect(await statusOf('/ready')).toBe(200);
  });

  test('gone before the first row of an import that had begun: 503, none of it is in, and later all of it', async () => {
    const [{ as } = { as: null }] = callers;
    if (as === null || !('key' in as)) throw new Error('the first caller has no key');
    const ids = ['late-1', 'late-2', 'late-3'];
    let send = () => {};
    const isGone = new Promise<void>((resolve) => {
      send = resolve;
    });
    const upload = async () => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await isGone;
          controller.enqueue(Buffer.from(JSON.stringify(ids.map((id) => ({ id, title: 'Mirror' })))));
          controller.close();
        },
      });
      const headers = { 'x-api-key': as.key, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
      const answer = await kit.app.request(`${origin}/api/collections/films/documents/import`, init);
      const { succeeded, failed, results } = (await answer.json()) as ImportSummary;
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        succeeded,
        failed,
        results,
      };
    };
    const { sql } = kit.deps.record;
    const begun = async () =>
      (await sql`select count(*)::int as n from audit_entries where action = 'documents.import'`)[0]?.['n'];
    const before = await begun();
    const importing = upload();
    await expect.poll(begun).toBe(before + 1);
    await postgres.down();
    send();
    const refused = await importing;
    expect(refused).toMatchObject({ status: 503, retryAfter: '2', succeeded: 0, failed: 3 });
    const told = refused.results.map(({ id, code, retry_after }) => [id, code, retry_after]);
    expect(told).toEqual(ids.map((id) => [id, 'UNAVAILABLE', 2]));

    await postgres.up();
    await expect.poll(async () => (await write(as)).status).toBe(200);
    const stored = () => sql`select id from documents where id like 'late-%'`;
    expect(await stored()).toEqual([]);
    expect((await ask('GET', '/api/collections/films/search?query=mirror', as)).body.found).toBe(0);
    expect(await upload()).toMatchObject({ status: 200, succeeded: 3, failed: 0 });
    expect(await stored()).toHaveLength(3);
  });

  test('silent: known callers read on', async () => {
    await expectReads();
    const goOn = await freeze();
    try {
      pass(60_000);
      await expectReads();
      expect(await statusOf('/ready')).toBe(503);
    } finally {
      goOn();
    }
    await expect.poll(() => statusOf('/ready')).toBe(200);
    pass(60_000);
    await expectReads();
  });

  test('silent: whoever waits for it is sent away, one behind another too, and nothing is left waiting', async () => {
    const [{ as } = { as: null }] = callers;
    const many = <T>(make: (n: number) => T) => Array.from({ length: 20 }, (_, n) => make(n));
    const goOn = await freeze();
    try {
      const waiting = [
        // The writes of one collection take turns.
        ...many((n) => write(as, `frozen-${n}`)),
        ...many(() => ask('GET', '/api/collections', as)),
        ...many(() => ask('POST', '/api/collections', as, { name: 'more', dimension: 384, projectId: 1 })),
        ...many(() => search({ key: makeApiKey() })),
        ask('POST', '/api/auth/login', null, { email: 'person1@example.com', password: 'x'.repeat(10) }),
      ];
      for (const { status, headers, body } of await Promise.all(waiting)) {
        expect(status, JSON.stringify(body)).toBe(503);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      // Who comes now does not wait at all.
      const { sql } = kit.deps.record;
      await expect(sql`select 1`).rejects.toMatchObject({ code: 'DATABASE_SILENT' });
      await expect(kit.deps.record.write(async () => 'never')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await statusOf('/health')).toBe(200);
      await expectReads();
    } finally {
      goOn();
    }
    await expect.poll(async () => (await write(as, 'after')).status).toBeLessThan(300);
    // A write that was with the database when it stopped may be in, and then it is found.
    const [row] = await kit.deps.record.sql`select count(*)::int as stored from documents`;
    const all = await ask('GET', '/api/collections/films/search?query=*&per_page=100', as);
    expect(all.body.found).toBe(row?.['stored']);
  });
});
