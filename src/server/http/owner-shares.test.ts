import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { members } from '#server/db/schema/workspaces.ts';
import { EmbeddingQueue } from '#server/embeddings/embedding-queue.ts';
import type { Workspace } from '#shared/workspaces.ts';
import {
  type Credentials,
  call,
  createCollection,
  createKey,
  createProject,
  must,
  type SignedUp,
  signUp,
} from '../testing/callers.ts';
import { heldSearches } from '../testing/held-searches.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { statementsOf } from '../testing/statements.ts';

/** An account has one share of the server, however many workspaces it owns. */
const workspacesOfMany = 20;
const requestsAtOnce = 8;
let kit: Kit;
let many: SignedUp;
let keysOfMany: string[];
let keyOfOne: string;
/** For whom the engine was asked. */
const askedFor = new Set<string>();
const held = heldSearches();

async function keyIn(owner: SignedUp, workspace: Workspace): Promise<string> {
  const project = await createProject(kit, { ...owner, workspace });
  await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  return (await createKey(kit, owner, { projectId: project.id })).key;
}

beforeAll(async () => {
  const host: typeof held.host = {
    ...held.host,
    call: (collection, request, signal) => {
      askedFor.add(collection.for.tenant);
      return held.host.call(collection, request, signal);
    },
  };
  kit = await startKit({ database: 'bundled', host, settings: { requestsAtOnce } });
  many = await signUp(kit);
  keysOfMany = [await keyIn(many, many.workspace)];
  while (keysOfMany.length < workspacesOfMany) {
    const body = { name: `Workspace ${keysOfMany.length}` };
    const made = call<Workspace>(kit, { method: 'POST', path: '/api/workspaces', body, as: many.as });
    keysOfMany.push(await keyIn(many, await must(made)));
  }
  const one = await signUp(kit);
  keyOfOne = await keyIn(one, one.workspace);
  for (const key of [...keysOfMany, keyOfOne]) expect((await search({ key })).status).toBe(200);
});
afterAll(() => kit.close());

const search = (as: Credentials, collection = 'things') =>
  call<{ message?: string }>(kit, {
    method: 'GET',
    path: `/api/collections/${collection}/search?q=river`,
    as,
  });

test('the engine is asked for the owner, by whatever key or session, without a statement', async () => {
  const [collection] = await must(
    call<{ id: number }[]>(kit, { method: 'GET', path: '/api/collections', as: many.as }),
  );
  const bySession = () => search(many.as, String(collection?.id));
  expect((await bySession()).status).toBe(200);
  askedFor.clear();
  const searchAll = async () => {
    for (const key of keysOfMany) await search({ key });
    await bySession();
  };
  // Timers send statements of their own now and then.
  await expect.poll(() => statementsOf(kit.deps.record, searchAll)).toEqual([]);
  expect([...askedFor]).toEqual([`account:${many.user.id}`]);
});

test('the embedder is asked for the owner too, by writes, imports and whoever is a member', async () => {
  const member = await signUp(kit);
  await kit.deps.record.write(async (db) => {
    const row = { workspaceId: many.workspace.id, userId: member.user.id, role: 'editor' as const };
    await db.insert(members).values(row);
  });
  const added = vi.spyOn(EmbeddingQueue.prototype, 'add');
  const path = '/api/collections/things/documents';
  for (const key of keysOfMany.slice(0, 3)) {
    const as = { key };
    await must(call(kit, { method: 'POST', path, body: { title: 'one' }, as }));
    await must(
      call(kit, { method: 'POST', path: `${path}/import`, body: [{ title: 'a' }, { title: 'b' }], as }),
    );
  }
  const [collection] = await must(
    call<{ id: number }[]>(kit, { method: 'GET', path: '/api/collections', as: member.as }),
  );
  const ofMember = `/api/collections/${collection?.id}/documents`;
  await must(call(kit, { method: 'POST', path: ofMember, body: { title: 'mine' }, as: member.as }));
  const tenants = added.mock.calls.map(([{ task }]) => task.for.tenant);
  added.mockRestore();
  expect(tenants.length).toBeGreaterThanOrEqual(7);
  expect(new Set(tenants)).toEqual(new Set([`account:${many.user.id}`]));
});

test('a workspace that nobody owns any more stands for itself', async () => {
  const gone = await signUp(kit);
  const key = await keyIn(gone, gone.workspace);
  await kit.deps.record.write((db) => db.delete(members).where(eq(members.userId, gone.user.id)));
  askedFor.clear();
  expect((await search({ key })).status).toBe(200);
  expect([...askedFor]).toEqual([`workspace:${gone.workspace.id}`]);
});

test('one with many workspaces leaves as much to others as it has, and its own wait for nobody else', async () => {
  const release = held.hold();
  const half = requestsAtOnce / 2;
  const underWay = await held.start(half, () => search({ key: keysOfMany[underWayKeys++] ?? '' }));
  for (const key of keysOfMany.slice(half)) {
    const { status, body } = await search({ key });
    expect([status, body.message]).toEqual([
      429,
      expect.stringContaining(`Your account has ${half} requests`),
    ]);
  }
  const another = await held.start(2, () => search({ key: keyOfOne }));
  release();
  for (const { status } of await Promise.all([...underWay, ...another])) expect(status).toBe(200);
  expect((await search({ key: keysOfMany.at(-1) ?? '' })).status).toBe(200);
});
let underWayKeys = 0;
