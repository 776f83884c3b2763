import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessions } from '#server/db/schema/accounts.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Project } from '#shared/projects.ts';
import {
  type Credentials,
  call,
  createCollection,
  createProject,
  createTenant,
  must,
  type SignedUp,
} from './callers.ts';
import { administer } from './databases.ts';
import { fakeClock } from './fake-clock.ts';
import { type Kit, startKit } from './kit.ts';
import { statementsOf } from './statements.ts';

/**
 * Callers and collections are known for a minute: a search needs no statement then, and what is changed counts from its answer on all the
 * same. The clock stands, so that nothing is asked anew because a minute is over.
 */
describe('known callers', () => {
  let kit: Kit;
  let url: string;
  let pass: (ms: number) => void;
  let owner: SignedUp;
  let project: Project;
  let films: Collection;
  let key: ApiKey;
  let callers: { key: { key: string }; session: { cookie: string } };

  beforeAll(async () => {
    const fake = fakeClock(new Date());
    pass = fake.pass;
    kit = await startKit({ clock: fake.clock });
    url = kit.deps.settings.databaseUrl ?? '';
  });
  afterAll(() => kit.close());
  beforeEach(async () => {
    ({ owner, project, collection: films, key } = await createTenant(kit, { name: 'films', dimension: 384 }));
    callers = { key: { key: key.key }, session: owner.as };
    await must(send('POST', '/api/collections/films/documents', callers.key, { id: '1', title: 'Solaris' }));
    for (const as of Object.values(callers)) expect(await statusOf('films', as)).toBe(200);
  });

  const send = (method: string, path: string, as: Credentials, body?: unknown) =>
    call<{ found: number; id: number }>(kit, { method, path, as, body });
  const search = (reference: string | number, as: Credentials) =>
    send('GET', `/api/collections/${reference}/search?query=solaris`, as);
  const statusOf = async (reference: string | number, as: Credentials) =>
    (await search(reference, as)).status;
  const forget = () => {
    for (const answers of Object.values(kit.deps.known)) answers.clear();
  };

  describe.each(['key', 'session'] as const)('by %s', (kind) => {
    const multi = {
      searches: Array.from({ length: 50 }, (_, i) => ({
        collection: i % 2 ? 'films' : 'other',
        query: 'solaris',
      })),
    };
    const reads = {
      search: () => search('films', callers[kind]),
      get: () => send('GET', '/api/collections/films/documents/1', callers[kind]),
      'multi-search of 50': () => send('POST', '/api/multi-search', callers[kind], multi),
      'search in all collections': () =>
        send('POST', '/api/multi-search', callers[kind], {
          searches: [{ collections: '*', query: 'solaris' }],
          merge: {},
        }),
    };
    test.each(Object.keys(reads) as (keyof typeof reads)[])(
      '%s: no statement, at first two',
      async (name) => {
        await createCollection(kit, owner, { projectId: project.id, name: 'other' });
        const ask = async () => {
          const { status, body } = await reads[name]();
          expect(status, JSON.stringify(body)).toBe(200);
          expect(JSON.stringify(body)).not.toContain('error');
        };
        await ask();
        expect(await statementsOf(kit.deps.record, ask)).toEqual([]);
        const cold = () => {
          forget();
          return statementsOf(kit.deps.record, ask);
        };
        const asked = await cold();
        expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(2);
        expect(asked).not.toEqual([]);
      },
    );
  });

  test('the models of many collections are one statement, once', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `many${i}`);
    for (const name of names) await createCollection(kit, owner, { projectId: project.id, name });
    const everywhere = {
      searches: [{ collections: names, query: 'solaris', mode: 'hybrid' }],
      merge: {},
    };
    const ask = () => must(send('POST', '/api/multi-search', callers.key, everywhere));
    const asked = await statementsOf(kit.deps.record, ask);
    expect(asked.filter((text) => text.includes('select id, model from collections'))).toHaveLength(1);
    expect(await statementsOf(kit.deps.record, ask)).toEqual([]);
  });

  test('a search is not told the metadata of its collection, which only writes need', async () => {
    const told = async (ask: () => Promise<unknown>) => {
      forget();
      const texts = await statementsOf(kit.deps.record, ask);
      return texts.filter((text) => text.includes('"collections"."metadata"')).length;
    };
    const everywhere = { searches: [{ collections: '*', query: 'solaris' }], merge: {} };
    for (const as of Object.values(callers)) {
      expect(await told(() => search('films', as))).toBe(0);
      expect(await told(() => send('POST', '/api/multi-search', as, everywhere))).toBe(0);
      const write = () => must(send('POST', '/api/collections/films/documents', as, { title: 'Stalker' }));
      expect(await told(write)).toBe(1);
    }
  });

  test('of many collections of one name no more are looked at than are told of', async () => {
    const { sql } = kit.deps.record;
    const made = await sql<{ id: number }[]>`
      with made as (
        insert into projects (workspace_id, name, slug) select ${owner.workspace.id}, n, n from generate_series(1, 150) n
        returning id)
      insert into collections (project_id, name, dimension, metric) select id, 'same', 8, 'cosine' from made returning id`;
    const refused = await call<ErrorBody>(kit, {
      method: 'GET',
      path: '/api/collections/same',
      as: owner.as,
    });
    expect([refused.status, refused.body.details?.length]).toEqual([409, limits.errorDetailsMax]);
    const searched = await call<ErrorBody>(kit, {
      method: 'GET',
      path: '/api/collections/same/search?query=x',
      as: owner.as,
    });
    expect([searched.status, searched.body.details?.length]).toEqual([409, limits.errorDetailsMax]);
    const last = Math.max(...made.map(({ id }) => id));
    expect(await statusOf(last, owner.as)).toBe(200);
  });

  test('after a minute the record is asked again', async () => {
    const ask = () => statementsOf(kit.deps.record, () => search('films', callers.key));
    expect(await ask()).toEqual([]);
    pass(60_000);
    expect((await ask()).length).toBeGreaterThanOrEqual(2);
  });

  test('a key that is switched off, expires or is deleted is refused from the answer on, and let in again from the answer on', async () => {
    const update = (body: object) => must(send('PUT', `/api/api-keys/${key.id}`, owner.as, body));
    await update({ isActive: false });
    expect(await statusOf('films', callers.key)).toBe(401);
    await update({ isActive: true });
    expect(await statusOf('films', callers.key)).toBe(200);
    await update({ expiresAt: '2020-01-01T00:00:00Z' });
    expect(await statusOf('films', callers.key)).toBe(401);
    await update({ expiresAt: null });
    expect(await statusOf('films', callers.key)).toBe(200);
    await must(send('DELETE', `/api/api-keys/${key.id}`, owner.as));
    expect(await statusOf('films', callers.key)).toBe(401);
    await must(send('POST', '/trpc/apiKeys.restore', owner.as, { id: key.id }));
    expect(await statusOf('films', callers.key)).toBe(200);
  });

  test('a known key ends at its hour', async () => {
    const expiresAt = new Date(kit.deps.clock().getTime() + 30_000).toISOString();
    await must(send('PUT', `/api/api-keys/${key.id}`, owner.as, { expiresAt }));
    expect(await statusOf('films', callers.key)).toBe(200);
    pass(29_999);
    expect(await statusOf('films', callers.key)).toBe(200);
    pass(1);
    expect(await statusOf('films', callers.key)).toBe(401);
  });

  test('a session that has ended is nobody’s from the answer on', async () => {
    await must(send('POST', '/api/auth/logout', owner.as));
    expect(await statusOf('films', owner.as)).toBe(401);
  });

  test('all sessions of a user end at once, as with a new password', async () => {
    const userId = owner.user.id;
    await kit.deps.record.write((db) => db.delete(sessions).where(eq(sessions.userId, userId)));
    expect(await statusOf('films', owner.as)).toBe(401);
  });

  test.each(['key', 'session'] as const)(
    'collections by %s: renamed, inactive, deleted, restored, named anew',
    async (kind) => {
      const as = callers[kind];
      const update = (body: object) => must(send('PUT', `/api/collections/${films.id}`, owner.as, body));
      expect(await statusOf(films.id, as)).toBe(200);
      expect(await statusOf('cinema', as)).toBe(404);
      await update({ name: 'cinema' });
      expect([await statusOf('films', as), await statusOf('cinema', as)]).toEqual([404, 200]);
      await update({ isActive: false });
      expect([await statusOf('cinema', as), await statusOf(films.id, as)]).toEqual([403, 403]);
      await update({ isActive: true });
      expect(await statusOf('cinema', as)).toBe(200);
      await must(send('DELETE', '/api/collections/cinema', owner.as));
      expect([await statusOf('cinema', as), await statusOf(films.id, as)]).toEqual([404, 404]);
      await must(send('POST', '/trpc/collections.restore', owner.as, { id: films.id }));
      expect([await statusOf('cinema', as), await statusOf(films.id, as)]).toEqual([200, 200]);
      // For a key a name goes before an id, for a session several of one name are none.
      const decoy = await createCollection(kit, owner, { projectId: project.id, name: String(films.id) });
      expect((await search(films.id, as)).body.found).toBe(kind === 'key' ? 0 : 1);
      await must(send('DELETE', `/api/collections/${decoy.id}`, owner.as));
      expect((await search(films.id, as)).body.found).toBe(1);
      const other = await createProject(kit, owner);
      await createCollection(kit, owner, { projectId: other.id, name: 'cinema' });
      expect(await statusOf('cinema', as)).toBe(kind === 'key' ? 200 : 409);
    },
  );

  test('a project and a workspace that are deleted and restored', async () => {
    for (const thing of ['projects', 'workspaces'] as const) {
      const id = thing === 'projects' ? project.id : owner.workspace.id;
      await must(send('DELETE', `/api/${thing}/${id}`, owner.as));
      expect(await statusOf('films', callers.key), thing).toBe(401);
      expect(await statusOf('films', owner.as), thing).toBe(404);
      await must(send('POST', `/trpc/${thing}.restore`, owner.as, { id }));
      expect(await statusOf('films', callers.key), thing).toBe(200);
      expect(await statusOf('films', owner.as), thing).toBe(200);
    }
  });

  const becomes = (reference: string, as: Credentials, status: number) =>
    expect.poll(() => statusOf(reference, as)).toBe(status);
  const byAnother = (text: string) => administer(url, (other) => other.unsafe(text));

  test('what another server changes counts within moments', async () => {
    await byAnother(`update members set role = 'viewer' where user_id = ${owner.user.id}`);
    const write = () => send('POST', '/api/collections/films/documents', owner.as, { title: 'Stalker' });
    await expect.poll(async () => (await write()).status).toBe(403);
    await byAnother(`update members set role = 'owner' where user_id = ${owner.user.id}`);
    await expect.poll(async () => (await write()).status).toBe(201);
    await byAnother(`update collections set name = 'cinema' where id = ${films.id}`);
    await becomes('films', callers.key, 404);
    await byAnother(`update api_keys set is_active = false where id = ${key.id}`);
    await becomes('cinema', callers.key, 401);
    await byAnother(`delete from members where user_id = ${owner.user.id}`);
    await becomes('cinema', owner.as, 404);
    await byAnother(`delete from sessions where user_id = ${owner.user.id}`);
    await becomes('cinema', owner.as, 401);
  });

  test('what was changed while nobody could be told counts once the connection is back', async () => {
    const name = new URL(url).pathname.slice(1);
    const template = new URL(url);
    template.pathname = '/postgres';
    await administer(template.href, async (other) => {
      const [listener] = await other`
        select pid from pg_stat_activity where datname = ${name} and query like 'listen %'`;
      await byAnother('select 1');
      await administer(url, async (inside) => {
        await inside`select 1`;
        await other`alter database ${other(name)} allow_connections false`;
        await other`select pg_terminate_backend(${listener?.['pid']}, 60000)`;
        await inside`update api_keys set is_active = false where id = ${key.id}`;
      });
      expect(await statusOf('films', callers.key)).toBe(200);
      await other`alter database ${other(name)} allow_connections true`;
    });
    await becomes('films', callers.key, 401);
  });

  test('a look-up under way when the key is switched off does not bring it back', async () => {
    // Reads of keys wait in their statement, having seen the rows as they were, for as long as the test holds a lock.
    await byAnother(`
      create function wait_for_test() returns boolean language plpgsql volatile as
        $$ begin perform pg_advisory_xact_lock_shared(4711); return true; end $$;
      alter table api_keys rename to all_keys;
      create view api_keys as select * from all_keys where wait_for_test()`);
    try {
      forget();
      await administer(url, async (holder) => {
        await holder`select pg_advisory_lock(4711)`;
        const early = statusOf('films', callers.key);
        const waiting = () =>
          byAnother(`
            select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
              and query like 'select %from "api_keys"%'`);
        await expect.poll(async () => (await waiting()).length).toBe(1);
        const heard = new Promise<void>((resolve) =>
          kit.deps.record.onChange((change) => change.id === String(key.id) && resolve()),
        );
        await byAnother(`update all_keys set is_active = false where id = ${key.id}`);
        await heard;
        await holder`select pg_advisory_unlock(4711)`;
        expect(await early, 'asked before').toBe(200);
      });
      expect(await statusOf('films', callers.key), 'asked after').toBe(401);
    } finally {
      await byAnother('drop view api_keys; alter table all_keys rename to api_keys');
    }
  });

  test('a request that came with the former limits of its key does not lend them to later ones', async () => {
    const other = await createCollection(kit, owner, { projectId: project.id, name: 'other' });
    const steps = new EventEmitter();
    const [awaited, sent] = [once(steps, 'awaited'), once(steps, 'sent')];
    const body = new ReadableStream(
      {
        // Called when the server reads, which knows by then who calls.
        async pull(controller) {
          steps.emit('awaited');
          await sent;
          controller.enqueue(new TextEncoder().encode('{"query":"solaris"}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'x-api-key': key.key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const early = kit.app.request('/api/collections/films/search', init as RequestInit);
    await awaited;
    await byAnother(`update api_keys set collection_ids = array[${other.id}] where id = ${key.id}`);
    await becomes('films', callers.key, 404);
    steps.emit('sent');
    expect((await early).status, 'asked before').toBe(200);
    expect(await statusOf('films', callers.key), 'asked after').toBe(404);
  });

  test('switched on and off under a steady stream of searches, each answer counts at once', async () => {
    let isOver = false;
    const stream = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        expect([200, 401]).toContain(await statusOf('films', callers.key));
        // A refusal waits for nothing; requests that come from outside let others in between.
        await nextTurn();
      }
    });
    try {
      for (let round = 0; round < 12; round++) {
        const isActive = round % 2 === 1;
        await must(send('PUT', `/api/api-keys/${key.id}`, owner.as, { isActive }));
        expect(await statusOf('films', callers.key), `round ${round}`).toBe(isActive ? 200 : 401);
      }
    } finally {
      isOver = true;
    }
    await Promise.all(stream);
  });
});
