import { afterAll, beforeAll, expect, test } from 'vitest';
import { members } from '#server/db/schema/workspaces.ts';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Request, RequestDetail } from '#shared/requests.ts';

/** What Live Events keeps of requests that mean no good, or hold what others must not see. */

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

async function start() {
  const { owner, key } = await createTenant(kit, { name: 'films' });
  const { id: workspaceId } = owner.workspace;
  const send = (method: string, path: string, body?: unknown, as: typeof key | typeof owner.as = key) =>
    call<Record<string, unknown>>(kit, { method, path: `/api/${path}`, body, as });
  const ask = <T>(name: string, input: object) => {
    const path = `/trpc/${name}?input=${encodeURIComponent(JSON.stringify({ workspaceId, ...input }))}`;
    return call<{ result: { data: T } }>(kit, { method: 'GET', path, as: owner.as });
  };
  const newest = async () => {
    await kit.deps.requestLog.flush();
    const [found] = (await must(ask<{ requests: Request[] }>('requests.recent', {}))).result.data.requests;
    if (!found) throw new Error('no request is listed');
    return { ...found, ...(await must(ask<RequestDetail>('requests.get', { id: found.id }))).result.data };
  };
  return { owner, key, send, newest };
}

test('what a conversation is called stays its owner’s: others see that it was renamed', async () => {
  const { owner, send, newest } = await start();
  await must(send('POST', 'collections/films/documents', { id: 'a', title: 'alien' }));
  const question = { collection: 'films', message: 'who knows of my illness?' };
  const { conversation_id: id } = await must(send('POST', 'chat', question, owner.as));
  await must(send('PUT', `conversations/${id}`, { name: 'About my illness' }, owner.as));
  const kept = await newest();
  expect(kept).toMatchObject({ operation: 'conversations.update', type: 'update', words: null });
  expect(kept.input).toEqual({ id: String(id), name: '…' });
  expect(JSON.stringify(kept)).not.toContain('illness');
});

test('a secret in the name of a field is not kept either', async () => {
  const { key, send, newest } = await start();
  await send('POST', 'collections/films/search', { q: 'alien', [key.key]: 1 });
  expect(await newest()).toMatchObject({ operation: 'search.keyword', status: 400, replay: 'secret' });
  expect(JSON.stringify(await newest())).not.toContain(key.key);
  await send('PUT', 'collections/films', { [key.key]: 1 });
  expect(JSON.stringify(await newest())).not.toContain(key.key);
});

test('of ten lists of the longest ids a few kilobytes are kept', async () => {
  const { send, newest } = await start();
  for (let i = 0; i < 10; i += 1)
    await must(send('POST', 'collections/films/documents', { id: `${i}`.repeat(512), title: 'alien' }));
  const searches = Array.from({ length: 10 }, () => ({ collection: 'films', query: 'alien' }));
  await must(send('POST', 'multi-search', { searches }));
  const { answer, found } = await newest();
  expect(found).toBe(100);
  expect(answer?.map((list) => list.found)).toEqual(searches.map(() => 10));
  expect(answer?.flatMap(({ hits }) => hits)).toHaveLength(8);
});

test('of a search over several workspaces the members of one see nothing of another', async () => {
  const { owner, key, send, newest } = await start();
  await must(send('POST', 'collections/films/documents', { id: 'shared', title: 'alien' }));
  const other = await createTenant(kit, { name: 'plans' });
  const secret = { id: 'secret-merger', title: 'alien' };
  const plans = { method: 'POST', path: '/api/collections/plans/documents', body: secret, as: other.key };
  await must(call(kit, plans));
  const { id: workspaceId } = owner.workspace;
  const member = { workspaceId, userId: other.owner.user.id, role: 'viewer' as const };
  await kit.deps.record.write((tx) => tx.insert(members).values(member));

  const inBoth = [
    { searches: [{ collections: ['films', 'plans'], query: 'alien' }], merge: {} },
    { searches: ['films', 'plans'].map((collection) => ({ collection, query: 'alien' })) },
    { searches: [{ collections: '*', query: 'alien' }], merge: {} },
  ];
  for (const body of inBoth) {
    const { as } = other.owner;
    const answer = await must(call(kit, { method: 'POST', path: '/api/multi-search', body, as }));
    expect(JSON.stringify(answer)).toContain(secret.id);
    const kept = await newest();
    expect(kept).toMatchObject({ operation: 'search.multi', status: 200, replay: 'scope', found: null });
    for (const told of [secret.id, 'plans', String(other.collection.id), 'alien'])
      expect(JSON.stringify({ ...kept, requestId: '', at: '', id: 0, tookMs: 0 })).not.toContain(told);
  }
  const own = { searches: [{ collections: '*', query: 'alien' }], merge: {} };
  await must(send('POST', 'multi-search', own, key));
  expect((await newest()).answer?.[0]?.hits).toMatchObject([{ id: 'shared' }]);
});
