import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import {
  type Credentials,
  call,
  createCollection,
  createKey,
  createProject,
  must,
  type SignedUp,
  signUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { Alias } from '#shared/aliases.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import type { SearchAnswer } from '#shared/search.ts';

let kit: Kit;
beforeAll(async () => {
  const now = new Date();
  kit = await startKit({ clock: () => now });
});
afterAll(() => kit.close());

describe('aliases', () => {
  let owner: SignedUp;
  let projectId: number;
  let old: Collection;
  let fresh: Collection;
  let key: Credentials;
  beforeEach(async () => {
    owner = await signUp(kit);
    projectId = (await createProject(kit, owner)).id;
    old = await createCollection(kit, owner, { projectId, name: 'films-1' });
    fresh = await createCollection(kit, owner, { projectId, name: 'films-2' });
    key = { key: (await createKey(kit, owner, { projectId })).key };
    for (const { id, name } of [old, fresh]) {
      const body = { id: '1', title: `Solaris of ${name}` };
      await must(send('POST', `/api/collections/${id}/documents`, body));
    }
  });

  const send = <T>(method: string, path: string, body?: unknown, as: Credentials = owner.as) =>
    call<T>(kit, { method, path, body, as });
  const put = (name: string, collection: string | number, as?: Credentials) =>
    send<Alias>('PUT', `/api/aliases/${encodeURIComponent(name)}`, { collection }, as);
  const titles = async (reference: string, as: Credentials) => {
    const path = `/api/collections/${encodeURIComponent(reference)}/search?query=solaris`;
    const { hits } = await must(send<SearchAnswer>('GET', path, undefined, as));
    return hits.map(({ document }) => document['title']);
  };

  test.each(['key', 'session'] as const)(
    'names a collection wherever its own name stands, by %s',
    async (kind) => {
      const as = kind === 'key' ? key : owner.as;
      const made = await must(put('films', 'films-1', as));
      expect(made).toEqual({
        name: 'films',
        collection: 'films-1',
        collectionId: old.id,
        projectId,
        createdAt: made.createdAt,
        updatedAt: made.updatedAt,
      });
      const read = <T>(path: string) => must(send<T>('GET', path, undefined, as));
      expect(await read('/api/aliases/films')).toEqual(made);
      expect(await read('/api/aliases')).toEqual([made]);
      expect(await read<Collection>('/api/collections/films')).toMatchObject({ id: old.id });
      await must(send('POST', '/api/collections/films/documents', { id: '2', title: 'Solaris again' }, as));
      const rows = [{ id: '3', title: 'Solaris imported' }];
      await must(send('POST', '/api/collections/films/documents/import', rows, as));
      expect((await titles('films-1', as)).sort()).toEqual([
        'Solaris again',
        'Solaris imported',
        'Solaris of films-1',
      ]);
      const searches = [{ collection: 'films', query: 'again' }];
      const multi = await must(
        send<{ results: SearchAnswer[] }>('POST', '/api/multi-search', { searches }, as),
      );
      expect(multi.results.map(({ found }) => found)).toEqual([1]);
    },
  );

  test('is exchanged in one write: the next search finds the other collection, without a statement from then on', async () => {
    await must(put('films', 'films-1'));
    expect(await titles('films', key)).toEqual(['Solaris of films-1']);
    await must(put('films', 'films-2'));
    expect(await titles('films', key)).toEqual(['Solaris of films-2']);
    await expect.poll(() => statementsOf(kit.deps.record, () => titles('films', key))).toEqual([]);
    await must(send('DELETE', '/api/aliases/films'));
    expect((await send('GET', '/api/collections/films/search?query=x', undefined, key)).status).toBe(404);
    expect(await titles('films-2', key)).toEqual(['Solaris of films-2']);
  });

  test('every search during many exchanges finds the one collection or the other', async () => {
    await must(put('films', 'films-1'));
    let isOver = false;
    const found = new Set<string>();
    const searching = (async () => {
      while (!isOver) found.add(String(await titles('films', key)));
    })();
    for (let i = 0; i < 20; i++) await must(put('films', i % 2 ? 'films-1' : 'films-2'));
    isOver = true;
    await searching;
    for (const each of found) expect(['Solaris of films-1', 'Solaris of films-2']).toContain(each);
  });

  test('a name is a collection’s or an alias, never both', async () => {
    await must(put('films', 'films-1'));
    const taken = (message: string) => ({ status: 409, body: { code: 'CONFLICT', message } });
    expect(await put('films-2', 'films-1')).toMatchObject(
      taken('A collection named "films-2" already exists in this project'),
    );
    const isAlias = taken('An alias named "films" already exists in this project');
    expect(await send('POST', '/api/collections', { name: 'films', dimension: 8, projectId })).toMatchObject(
      isAlias,
    );
    expect(await send('PUT', `/api/collections/${old.id}`, { name: 'films' })).toMatchObject(isAlias);
    // A deleted one gives its name away, and does not get it back.
    await must(send('DELETE', `/api/collections/${fresh.id}`));
    await must(put('films-2', 'films-1'));
    const restore = call(kit, {
      method: 'POST',
      path: '/trpc/collections.restore',
      body: { id: fresh.id },
      as: owner.as,
    });
    expect((await restore).status).toBe(409);
    // Elsewhere the name is free.
    const elsewhere = await createProject(kit, owner, 'Elsewhere');
    await createCollection(kit, owner, { projectId: elsewhere.id, name: 'films' });
  });

  test('of a collection and an alias of one name at the same moment, one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `race-${round}`;
      const answers = await Promise.all([
        put(name, 'films-1'),
        send('POST', '/api/collections', { name, dimension: 8, projectId }),
        put(name, 'films-2'),
      ]);
      const [first, created, second] = answers.map(({ status }) => status);
      expect([
        [200, 409, 200],
        [409, 201, 409],
      ]).toContainEqual([first, created, second]);
    }
  });

  test('a session whose projects have the same alias is asked which, a key is not', async () => {
    const elsewhere = await createProject(kit, owner, 'Elsewhere');
    const other = await createCollection(kit, owner, { projectId: elsewhere.id, name: 'other' });
    await must(put('films', old.id));
    await must(put('films', other.id));
    expect((await send('GET', '/api/aliases/films')).status).toBe(409);
    expect((await send('GET', '/api/collections/films')).status).toBe(409);
    const of = await must(send<Alias>('GET', `/api/aliases/films?projectId=${elsewhere.id}`));
    expect(of.collectionId).toBe(other.id);
    expect((await must(send<Alias>('GET', '/api/aliases/films', undefined, key))).collectionId).toBe(old.id);
    const listed = await must(send<Alias[]>('GET', `/api/aliases?projectId=${projectId}`));
    expect(listed.map(({ collectionId }) => collectionId)).toEqual([old.id]);
  });

  test('a key limited to some collections uses the aliases of these, sees no others, and changes none', async () => {
    const limited = {
      key: (await createKey(kit, owner, { projectId, collections: ['films-1'] })).key,
    };
    await must(put('films', 'films-1'));
    expect(await titles('films', limited)).toEqual(['Solaris of films-1']);
    await must(put('films', 'films-2'));
    const path = '/api/collections/films/search?query=solaris';
    expect((await send('GET', path, undefined, limited)).status).toBe(404);
    expect((await send('GET', '/api/aliases/films', undefined, limited)).status).toBe(404);
    expect(await must(send('GET', '/api/aliases', undefined, limited))).toEqual([]);
    expect((await put('films', 'films-1', limited)).status).toBe(403);
    expect((await put('mine', 'films-1', limited)).status).toBe(403);
    expect((await send('DELETE', '/api/aliases/films', undefined, limited)).status).toBe(403);
    // An alias may be exchanged, what a key is limited to is not.
    const byAlias = { name: 'key', projectId, collections: ['films'] };
    expect(await send('POST', '/api/api-keys', byAlias)).toMatchObject({
      status: 400,
      body: { message: 'collections.0: this project has no collection "films"' },
    });
  });

  test('an import goes on into the collection in which it began', async () => {
    await must(put('films', 'films-1'));
    const encoder = new TextEncoder();
    let sendMore: (line: string | null) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        sendMore = (line) => (line === null ? controller.close() : controller.enqueue(encoder.encode(line)));
      },
    });
    const headers = { host: 'localhost', origin: 'http://localhost', 'content-type': 'application/x-ndjson' };
    const as = 'cookie' in owner.as ? { cookie: owner.as.cookie } : {};
    const answered = kit.app.request('http://localhost/api/collections/films/documents/import', {
      method: 'POST',
      headers: { ...headers, ...as },
      body,
      duplex: 'half',
    } as RequestInit);
    // Whoever imports has the collection once the import is in the audit.
    const imports = () =>
      kit.deps.record.db.select().from(auditEntries).where(eq(auditEntries.targetId, old.id));
    await expect
      .poll(async () => (await imports()).map(({ action }) => action))
      .toContain('documents.import');
    await must(put('films', 'films-2'));
    sendMore('{"id":"2","title":"Solaris by the way"}\n');
    sendMore(null);
    expect((await answered).status).toBe(200);
    expect((await titles('films-1', key)).sort()).toEqual(['Solaris by the way', 'Solaris of films-1']);
    expect(await titles('films-2', key)).toEqual(['Solaris of films-2']);
  });

  test('goes with its collection, and comes back with it', async () => {
    await must(put('films', 'films-1'));
    await must(send('DELETE', `/api/collections/${old.id}`));
    expect((await send('GET', '/api/aliases/films')).status).toBe(404);
    expect((await send('GET', '/api/collections/films')).status).toBe(404);
    const restore = { method: 'POST', path: '/trpc/collections.restore', body: { id: old.id }, as: owner.as };
    await must(call(kit, restore));
    expect(await titles('films', key)).toEqual(['Solaris of films-1']);
  });

  test('a project has so many and no more', async () => {
    const { sql } = kit.deps.record;
    const most = limits.aliasesPerProjectMax;
    await sql`insert into aliases (project_id, name, collection_id)
      select ${projectId}, 'alias ' || n, ${old.id} from generate_series(1, ${most}) n`;
    expect(await put('one more', 'films-1')).toMatchObject({ status: 422 });
    // One that is there can be exchanged.
    await must(put('alias 1', 'films-2'));
    expect((await send('GET', '/api/aliases/one%20more')).status).toBe(404);
  });
});
