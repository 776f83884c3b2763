import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '#server/compose.ts';
import { readSettings } from '#server/env.ts';
import { createApp } from '#server/http/app.ts';
import { createLog } from '#server/log.ts';
import {
  call,
  createCollection,
  createKey,
  createTenant,
  must,
  origin,
  type SignedUp,
} from '#server/testing/callers.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { type Kit, roomy, startKit } from '#server/testing/kit.ts';
import type { DashboardStats } from '#shared/dashboard.ts';
import type { Monitoring } from '#shared/monitoring.ts';
import type { Request, RequestDetail, RequestOverview, WriteTimes } from '#shared/requests.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

async function ask<Answer>(name: string, as: SignedUp['as'], input: object): Promise<Answer> {
  const path = `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
  return (await must(call<{ result: { data: Answer } }>(kit, { method: 'GET', path, as }))).result.data;
}

/** Somebody with three films, a key, and what Live Events has of them. */
async function start() {
  const tenant = await createTenant(kit, { name: 'films' });
  const { owner, key } = tenant;
  const send = (method: string, path: string, body?: unknown) =>
    call<Record<string, unknown>>(kit, { method, path: `/api/collections/films${path}`, body, as: key });
  for (const [id, title] of Object.entries({ a: 'star wars', b: 'star trek', c: 'alien' }))
    await must(send('POST', '/documents', { id, title }));
  const list = async (more: object = {}) => {
    await kit.deps.requestLog.flush();
    const input = { workspaceId: owner.workspace.id, ...more };
    return (await ask<{ requests: Request[] }>('requests.recent', owner.as, input)).requests;
  };
  const get = async ({ id }: { id: number }) =>
    ask<RequestDetail>('requests.get', owner.as, { workspaceId: owner.workspace.id, id });
  const newest = async () => {
    const [found] = await list();
    if (!found) throw new Error('no request is listed');
    return found;
  };
  return { ...tenant, send, list, get, newest };
}

test('a search is listed with its key by name, its collection, its words and what it found, newest first', async () => {
  const { send, list, get, newest, collection, key } = await start();
  const answer = await send('GET', '/search?q=star');
  const [search, ...writes] = await list();
  expect(search).toMatchObject({
    requestId: answer.headers.get('X-Request-Id'),
    operation: 'search.keyword',
    type: 'search',
    way: 'api',
    key: { id: key.id, name: 'key' },
    collection: { id: collection.id, name: 'films' },
    status: 200,
    level: 'success',
    found: 2,
    words: 'star',
    leftOut: 0,
  });
  expect(search?.tookMs).toBeGreaterThan(0);
  const written = writes.filter(({ operation }) => operation === 'documents.write');
  expect(written.map(({ type, status, words }) => [type, status, words])).toEqual([
    ['insert', 201, 'c'],
    ['insert', 201, 'b'],
    ['insert', 201, 'a'],
  ]);
  const { input, answer: kept, replay } = await get(await newest());
  expect(replay).toBe('yes');
  expect(input).toEqual({ collection: String(collection.id), q: 'star' });
  const { hits } = answer.body as { hits: { id: string; score: number }[] };
  expect(kept).toEqual([{ found: 2, hits: hits.map(({ id, score }) => ({ id, score })) }]);
});

test('of a write no document, of a chat no question is kept, and no secret of anything', async () => {
  const { send, list, get, newest, key } = await start();
  await must(send('POST', '/documents', { id: 'd', title: 'an unreleased film' }));
  expect((await get(await newest())).input).toEqual({ collection: 'films', document: ['id', 'title'] });
  expect((await get(await newest())).replay).toBe('write');
  await must(send('POST', '/chat', { message: 'who knows of my illness?' }));
  expect(await newest()).toMatchObject({ operation: 'chat.ask', type: 'search', words: null });
  expect((await get(await newest())).input).toEqual({ collection: 'films', message: '…' });
  await must(send('GET', `/search?q=${key.key}`));
  expect(await newest()).toMatchObject({ words: '[redacted]' });
  expect((await get(await newest())).replay).toBe('secret');
  const told = JSON.stringify(await Promise.all((await list()).map(get)));
  for (const secret of [key.key, 'unreleased', 'illness']) expect(told).not.toContain(secret);
});

test('what is refused is a warning with the words that its caller was told', async () => {
  const { send, newest, list } = await start();
  await send('GET', '/search?q=star&filter_by=year:>');
  const refused = await newest();
  expect(refused).toMatchObject({
    status: 400,
    level: 'warning',
    found: null,
    error: { code: 'BAD_REQUEST' },
  });
  await send('GET', '/documents/nobody');
  expect(await newest()).toMatchObject({
    operation: 'documents.get',
    type: 'read',
    status: 404,
    words: 'nobody',
  });
  expect((await list({ level: 'warning' })).length).toBe(2);
  expect(await list({ level: 'error' })).toEqual([]);
});

test('the list is narrowed by type, key, collection, words, request and by having found nothing, and goes on behind a request', async () => {
  const { send, list, owner, project, collection } = await start();
  await must(send('GET', '/search?q=star'));
  const nothing = await send('GET', '/search?q=zzzz%25');
  const wordsOf = async (more: object) => (await list(more)).map(({ words }) => words);
  expect(await wordsOf({ type: 'search' })).toEqual(['zzzz%', 'star']);
  expect(await wordsOf({ nothingFound: true })).toEqual(['zzzz%']);
  expect(await wordsOf({ q: 'TAR' })).toEqual(['star']);
  expect(await wordsOf({ q: '%' })).toEqual(['zzzz%']);
  expect(await wordsOf({ q: nothing.headers.get('X-Request-Id') })).toEqual(['zzzz%']);
  expect(await wordsOf({ type: 'search', collectionId: collection.id })).toEqual(['zzzz%', 'star']);
  expect(await wordsOf({ collectionId: collection.id + 1 })).toEqual([]);
  const other = await createKey(kit, owner, { projectId: project.id });
  await must(call(kit, { method: 'GET', path: '/api/collections/films/search?q=alien', as: other }));
  expect(await wordsOf({ keyId: other.id })).toEqual(['alien']);
  const [first, second] = await list({ type: 'search', per_page: 2 });
  expect([first?.words, second?.words]).toEqual(['alien', 'zzzz%']);
  expect(await wordsOf({ type: 'search', before: second?.id })).toEqual(['star']);
  const overview = await ask<RequestOverview>('requests.overview', owner.as, {
    workspaceId: owner.workspace.id,
  });
  expect(overview.lastHour).toMatchObject({ searches: 3, nothingFound: 1, warnings: 0, errors: 0 });
  expect(overview.lastHour.p95Ms).toBeGreaterThan(0);
  expect(overview.keys.map(({ id }) => id)).toContain(other.id);
  expect(overview.collections).toContainEqual({ id: collection.id, name: 'films' });
});

test('a key that is sent in the address, as another product takes it, is kept nowhere', async () => {
  const { send, newest, get } = await start();
  const secret = 'xyz-never-told-4711';
  const answer = await send('GET', `/search?q=star&x-typesense-api-key=${secret}`);
  expect(answer.status).toBe(400);
  const kept = await get(await newest());
  expect(kept).toMatchObject({ status: 400, replay: 'secret', input: { q: 'star' } });
  expect(JSON.stringify([answer.body, kept, kit.logLines])).not.toContain(secret);
});

test('the dashboard, monitoring and Live Events count the same requests, at once', async () => {
  const { send, owner, collection } = await start();
  await must(send('GET', '/search?q=star'));
  expect((await send('GET', '/search?q=star&filter_by=year:>')).status).toBe(400);
  const searched = { collection: collection.id, query: 'star' };
  await ask('search.keyword', owner.as, searched);
  await kit.deps.requestLog.flush();
  const workspace = { workspaceId: owner.workspace.id };
  const { lastHour } = await ask<RequestOverview>('requests.overview', owner.as, workspace);
  const hour = { ...workspace, range: '1h' };
  const { totals } = await ask<Monitoring>('monitoring.get', owner.as, hour);
  const stats = await ask<DashboardStats>('dashboard.stats', owner.as, workspace);
  const counted = [lastHour.apiRequests, totals.requests, stats.apiRequestsLast24h];
  expect(counted).toEqual(counted.map(() => counted[0]));
  // Three documents, two searches, and what made the collection and its key.
  expect(lastHour.apiRequests).toBeGreaterThanOrEqual(5);
  expect(lastHour.requests).toBe(lastHour.apiRequests + 1);
});

test('several searches of one request are one, with a list each; one list over several collections is one', async () => {
  const { send, owner, project, get, newest, key, collection } = await start();
  const books = await createCollection(kit, owner, { projectId: project.id, name: 'books', dimension: 8 });
  const document = { id: 'x', title: 'star atlas' };
  await must(
    call(kit, { method: 'POST', path: '/api/collections/books/documents', body: document, as: key }),
  );
  await must(send('GET', '/search?q=alien'));
  const multi = (body: object) =>
    must(call(kit, { method: 'POST', path: '/api/multi-search', body, as: key }));
  await multi({
    searches: [
      { collection: 'films', query: 'star' },
      { collection: 'nowhere', query: 'star' },
      { collection: 'books', query: 'star' },
    ],
  });
  expect(await newest()).toMatchObject({
    operation: 'search.multi',
    words: 'star +2',
    found: 3,
    collection: null,
  });
  const each = await get(await newest());
  expect(each.answer?.map(({ found }) => found)).toEqual([2, null, 1]);
  expect(each.input).toMatchObject({
    searches: [
      { collection: String(collection.id) },
      { collection: 'nowhere' },
      { collection: String(books.id) },
    ],
  });
  await multi({ searches: [{ collections: ['films', 'books'], query: 'star' }], merge: {} });
  const merged = await get(await newest());
  expect(merged.answer?.[0]?.hits.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'x']);
  expect(merged.replay).toBe('yes');
  await multi({ searches: [{ collections: '*', query: 'star' }], merge: {} });
  expect((await get(await newest())).replay).toBe('scope');
});

test('of what the console asks, searches and changes are listed, by nobody’s name', async () => {
  const { owner, collection, list } = await start();
  await ask('collections.list', owner.as, { workspaceId: owner.workspace.id });
  await ask('search.keyword', owner.as, { collection: collection.id, query: 'alien' });
  const [search, before] = await list();
  expect(search).toMatchObject({ operation: 'search.keyword', way: 'console', key: null, words: 'alien' });
  expect(before?.operation).toBe('documents.write');
  expect(JSON.stringify(await list())).not.toContain(owner.user.username);
});

test('who looks hears of requests within a second, and others of nothing', async () => {
  const { owner, send, list } = await start();
  const stranger = await createTenant(kit);
  const hears = async (as: SignedUp['as']) => {
    const told: unknown[] = [];
    const answer = await kit.app.request(`${origin}/api/live`, { headers: { host: 'localhost', ...as } });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const reading = (async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        if (part.value.includes('"requests"')) told.push(part.value);
    })();
    reading.catch(() => undefined);
    return { told, leave: () => reader?.cancel() };
  };
  // What was asked before is told of no more.
  await kit.deps.requestLog.flush();
  const [own, others] = [await hears(owner.as), await hears(stranger.owner.as)];
  await must(send('GET', '/search?q=alien'));
  await expect.poll(() => own.told.length).toBeGreaterThan(0);
  expect((await list()).at(0)?.words).toBe('alien');
  expect(others.told).toEqual([]);
  await own.leave();
  await others.leave();
});

test('what a server has listed, the next one on the same record lists', async () => {
  const database = await freshDatabase();
  const settings = { ...readSettings({}), ...roomy, ...database.settings };
  const rootDir = path.resolve(import.meta.dirname, '../../../..');
  const serve = async (work: (server: Kit) => Promise<void>) => {
    const parts = await compose({ settings, log: createLog('silent'), clock: () => new Date(), rootDir });
    const app = createApp(parts.deps, { clientDir: null });
    await work({ app, deps: parts.deps, logLines: [], close: () => parts.stop() }).finally(() =>
      parts.stop(),
    );
  };
  const recent = async ({ app }: Kit, owner: SignedUp) => {
    const input = JSON.stringify({ workspaceId: owner.workspace.id });
    const request = { method: 'GET', path: `/trpc/requests.recent?input=${encodeURIComponent(input)}` };
    return must(call<{ result: { data: { requests: Request[] } } }>({ app }, { ...request, as: owner.as }));
  };
  const told: { owner: SignedUp; list: unknown }[] = [];
  await serve(async (first) => {
    const { owner, key } = await createTenant(first, { name: 'films' });
    await must(call(first, { method: 'GET', path: '/api/collections/films/search?q=alien', as: key }));
    await first.deps.requestLog.flush();
    told.push({ owner, list: await recent(first, owner) });
    // Nobody looks, so it waits for its batch: the server's end writes it.
    await must(call(first, { method: 'GET', path: '/api/collections/films/search?q=last', as: key }));
  });
  await serve(async (second) => {
    const [{ owner, list } = { owner: undefined, list: undefined }] = told;
    if (!owner) throw new Error('nobody has signed up');
    const { result } = await recent(second, owner);
    expect(result.data.requests[0]?.words).toBe('last');
    expect({ result: { data: { ...result.data, requests: result.data.requests.slice(1) } } }).toEqual(list);
  });
  await database.cleanup();
});

test('how soon writes are found is told of single documents that went in, of the last day', async () => {
  const { owner, collection, send } = await start();
  const times = async () => {
    await kit.deps.requestLog.flush();
    return ask<WriteTimes>('requests.writeTimes', owner.as, { collection: String(collection.id) });
  };
  await must(send('PUT', '/documents/a', { title: 'star wars' }));
  await must(send('DELETE', '/documents/b'));
  await send('DELETE', '/documents/unknown');
  await must(send('POST', '/documents/import', [{ id: 'd' }]));
  await must(send('GET', '/search?q=star'));
  const { writes, p99Ms } = await times();
  expect(writes).toBe(5);
  expect(p99Ms).toBeGreaterThan(0);
  await kit.deps.record.sql`update requests set place = place - 86400000000 * 2`;
  expect(await times()).toEqual({ writes: 0, p99Ms: null });
});
