import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import {
  call,
  createCollection,
  createTenant,
  must,
  origin,
  type SignedUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { ImportResult } from '#shared/documents.ts';

/** Who is shut out while a long request is under way works no longer from the moment on at which that was answered. */
let kit: Kit;
let owner: SignedUp;
let films: Collection;
let key: ApiKey;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  ({ owner, collection: films, key } = await createTenant(kit, { name: 'films' }));
});

const as = (method: string, path: string, body?: unknown) =>
  must(call<unknown>(kit, { method, path, as: owner.as, body }));
/** What the API does not change, a later version or another server may. */
const changeKey = (to: Partial<typeof apiKeys.$inferInsert>) =>
  kit.deps.record.write((db) => db.update(apiKeys).set(to).where(eq(apiKeys.id, key.id)));
const path = () => `/api/collections/${films.id}`;
const cuts = {
  'the key is deleted': () => as('DELETE', `/api/api-keys/${key.id}`),
  'the key is switched off': () => as('PUT', `/api/api-keys/${key.id}`, { isActive: false }),
  'the key expires': () => as('PUT', `/api/api-keys/${key.id}`, { expiresAt: '2020-01-01T00:00:00Z' }),
  'the key may read only': () => changeKey({ permissions: ['read'] }),
  'the key is for another': async () => {
    const { projectId } = films;
    const other = await createCollection(kit, owner, { projectId, name: 'other', dimension: 8 });
    await changeKey({ collectionIds: [other.id] });
  },
  'the collection is set inactive': () => as('PUT', path(), { isActive: false }),
  'the collection is deleted': () => as('DELETE', path()),
  'the session ends': () => as('POST', '/api/auth/logout'),
  'the collection is renamed': () => as('PUT', path(), { name: 'cinema' }),
};

const storedIds = async () => {
  const rows = await kit.deps.record.sql`select id from documents where collection_id = ${films.id}`;
  return rows.length;
};
const lines = (from: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify({ id: `d${from + i}`, ...more })}\n`).join('');

/** A full batch is written before the cut, the rest is sent after it. */
async function importAcross(cut: () => Promise<unknown>, headers: Record<string, string>) {
  let send = (_: string) => {};
  let end = () => {};
  const body = new ReadableStream({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
      end = () => controller.close();
    },
  });
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body,
    duplex: 'half',
  };
  const answer = kit.app.request(`${origin}/api/collections/films/documents/import`, init as RequestInit);
  send(lines(0, 128));
  await expect.poll(storedIds).toBe(128);
  await cut();
  send(lines(128, 300));
  end();
  const { status } = await answer;
  const { results } = (await (await answer).json()) as { results: ImportResult[] };
  return { status, before: results.slice(0, 128), after: results.slice(128) };
}

describe('an import under way', () => {
  const session = () => ({ host: 'localhost', cookie: owner.as.cookie, origin });
  const byKey = () => ({ 'x-api-key': key.key });

  test.each([
    ['the key is deleted', byKey, 'UNAUTHORIZED'],
    ['the key is switched off', byKey, 'UNAUTHORIZED'],
    ['the key expires', byKey, 'UNAUTHORIZED'],
    ['the key may read only', byKey, 'FORBIDDEN'],
    ['the key is for another', byKey, 'NOT_FOUND'],
    ['the collection is set inactive', byKey, 'FORBIDDEN'],
    ['the collection is deleted', byKey, 'NOT_FOUND'],
    ['the collection is set inactive', session, 'FORBIDDEN'],
    ['the session ends', session, 'UNAUTHORIZED'],
  ] as const)('%s: what follows is refused', async (name, headers, code) => {
    const { status, before, after } = await importAcross(cuts[name], headers());
    expect(status).toBe(207);
    expect(new Set(before.map(({ success }) => success))).toEqual(new Set([true]));
    expect(new Set(after.map((result) => result.code))).toEqual(new Set([code]));
    expect([after.length, await storedIds()]).toEqual([300, 128]);
  });

  test.each([
    ['key', byKey],
    ['session', session],
  ])('by %s: a new name of the collection does not end it', async (_, headers) => {
    const { status } = await importAcross(cuts['the collection is renamed'], headers());
    expect([status, await storedIds()]).toEqual([200, 428]);
  });
});

describe('an export under way', () => {
  const headers = () => ({ 'x-api-key': key.key });

  async function exportAcross(cut: () => Promise<unknown>) {
    const text = 'a'.repeat(50_000);
    const type = { 'content-type': 'application/x-ndjson' };
    const upload = { method: 'POST', path: `${path()}/documents/import`, as: owner.as, headers: type };
    await must(call(kit, { ...upload, body: lines(0, 60, { text }) }));
    const answer = await kit.app.request(`${path()}/documents/export`, { headers: headers() });
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    if (!reader) throw new Error('the export has no body');
    let bytes = (await reader.read()).value?.byteLength ?? 0;
    await cut();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes;
      bytes += value.byteLength;
      if (bytes > 1_000_000 && cut !== cuts['the collection is set inactive']) throw new Error('it goes on');
    }
  }

  test.each([
    ['the key is deleted', 'This API key is not valid'],
    ['the key is for another', 'Collection not found'],
    ['the collection is deleted', 'Collection not found'],
  ] as const)('%s: it breaks off', async (name, message) => {
    kit.logLines.length = 0;
    await expect(exportAcross(cuts[name])).rejects.toThrow(message);
    const broken = kit.logLines.filter((line) => line.includes('export failed half-way'));
    expect(broken.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['info']);
  });

  test('an inactive collection can be exported, so it goes on', async () => {
    expect(await exportAcross(cuts['the collection is set inactive'])).toBeGreaterThan(3_000_000);
  });
});
