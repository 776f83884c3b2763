import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callFailed, createDenials, type Denials } from '#server/audit/denials.ts';
import { makeApiKey } from '#server/auth/keys/key-format.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { createLog } from '#server/log.ts';
import type { ApiKey } from '#shared/api-keys.ts';
import { call, createCollection, createKey, createProject, type SignedUp, signUp } from './callers.ts';
import { type Kit, startKit } from './kit.ts';

type Denial = Parameters<Denials['note']>[0];

/** Every refusal is a line of the log, and those that somebody should look at are in the audit. */

interface Line {
  message: string;
  requestId: string;
  action: string;
  code: string;
  actor: string;
  times?: number;
}

interface World {
  owner: SignedUp;
  viewer: SignedUp;
  good: ApiKey;
  reading: ApiKey;
  off: ApiKey;
  expired: ApiKey;
}

let kit: Kit;
let world: World;
beforeAll(async () => {
  kit = await startKit();
  const [owner, viewer] = [await signUp(kit), await signUp(kit)];
  const member = { workspaceId: owner.workspace.id, userId: viewer.user.id, role: 'viewer' as const };
  await kit.deps.record.write((db) => db.insert(members).values(member));
  const { id: projectId } = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId, name: 'films', dimension: 8 });
  const idle = await createCollection(kit, owner, { projectId, name: 'idle', dimension: 8 });
  world = {
    owner,
    viewer,
    good: await createKey(kit, owner, { projectId }),
    reading: await createKey(kit, owner, { projectId, permissions: ['read'] }),
    off: await createKey(kit, owner, { projectId }),
    expired: await createKey(kit, owner, { projectId, expiresAt: '2020-01-01T00:00:00Z' }),
  };
  for (const path of [`/api/collections/${idle.id}`, `/api/api-keys/${world.off.id}`])
    await call(kit, { method: 'PUT', path, body: { isActive: false }, as: owner.as });
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.deps.denials.flush();
  kit.deps.denials.lines.stop();
  kit.logLines.length = 0;
});

const refusalsIn = (lines: string[]) =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ message }) => message === 'refused');
const entriesOf = async (requestId: string) => {
  await kit.deps.denials.flush();
  const isIt = and(eq(auditEntries.requestId, requestId), eq(auditEntries.outcome, 'refused'));
  return await kit.deps.record.db.select().from(auditEntries).where(isIt);
};

type Request = Parameters<typeof call>[1];
interface Expected {
  status: 401 | 403;
  action: string;
  actor: string | RegExp;
  isAudited?: false;
  isOwners?: true;
}

const list: Request = { method: 'GET', path: '/api/collections' };
const listBy = (key: string): Request => ({ ...list, as: { key } });
const login = (email: string): Request => ({
  method: 'POST',
  path: '/api/auth/login',
  body: { email, password: 'not the password' },
});
const key = 'auth.key';

const cases: Record<string, (world: World) => [Request, Expected]> = {
  nobody: () => [list, { status: 401, action: 'collections.list', actor: 'nobody', isAudited: false }],
  'a malformed key': () => [listBy('vk_malformed'), { status: 401, action: key, actor: 'key' }],
  'an unknown key': () => [listBy(makeApiKey()), { status: 401, action: key, actor: 'key' }],
  'a key that is switched off': ({ off }) => [
    listBy(off.key),
    { status: 401, action: key, actor: `key ${off.id}`, isOwners: true },
  ],
  'a key that has expired': ({ expired }) => [
    listBy(expired.key),
    { status: 401, action: key, actor: `key ${expired.id}`, isOwners: true },
  ],
  'a key without the permission': ({ reading }) => [
    { method: 'POST', path: '/api/collections', body: { name: 'more' }, as: { key: reading.key } },
    { status: 403, action: 'collections.create', actor: `key ${reading.id}`, isOwners: true },
  ],
  'a key where a session is needed': ({ good }) => [
    { method: 'GET', path: '/api/projects', as: { key: good.key } },
    { status: 403, action: 'projects.list', actor: `key ${good.id}`, isOwners: true },
  ],
  'a member without the role': ({ good, viewer }) => [
    { method: 'PUT', path: `/api/api-keys/${good.id}`, body: { name: 'Mine' }, as: viewer.as },
    { status: 403, action: 'apiKeys.update', actor: `user ${viewer.user.id}`, isOwners: true },
  ],
  'a foreign page': ({ owner }) => [
    {
      method: 'POST',
      path: '/api/workspaces',
      body: { name: 'Planted' },
      headers: { cookie: owner.as.cookie, origin: 'https://elsewhere.example' },
    },
    { status: 403, action: 'auth.origin', actor: 'nobody' },
  ],
  'a wrong password': ({ owner }) => [
    login(owner.user.email),
    { status: 401, action: 'auth.login', actor: `user ${owner.user.id}` },
  ],
  'an account that nobody has': () => [
    login('nobody.at.all@example.com'),
    { status: 401, action: 'auth.login', actor: /^nobody [\w-]{16}$/ },
  ],
};

test.each(Object.keys(cases))('%s: one line that says whom', async (name) => {
  const [request, expected] = cases[name]?.(world) ?? [];
  if (!request || !expected) throw new Error(`no case ${name}`);
  const { status, headers } = await call(kit, request);
  expect(status).toBe(expected.status);
  const requestId = headers.get('x-request-id') ?? '';
  const { action, actor } = expected;
  const workspaceId = expected.isOwners ? world.owner.workspace.id : null;
  expect(refusalsIn(kit.logLines)).toEqual([
    expect.objectContaining({
      requestId,
      action,
      code: status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN',
      actor: typeof actor === 'string' ? actor : expect.stringMatching(actor),
      workspaceId,
      address: 'unknown',
    }),
  ]);
  expect(kit.logLines.join()).not.toContain('nobody.at.all');
  const entries = await entriesOf(requestId);
  expect(entries).toHaveLength(expected.isAudited === false ? 0 : 1);
  for (const entry of entries) expect(entry).toMatchObject({ action, workspaceId, times: 1 });
});

test('each refused call of a batch is a line, a refused caller of a batch is one', async () => {
  const { good, off, viewer } = world;
  const path = '/trpc/apiKeys.update,apiKeys.delete?batch=1';
  const body = { 0: { id: good.id, name: 'x' }, 1: { id: good.id } };
  await call(kit, { method: 'POST', path, body, as: { key: off.key } });
  expect(refusalsIn(kit.logLines).map(({ action }) => action)).toEqual([key]);
  kit.logLines.length = 0;
  await call(kit, { method: 'POST', path, body, as: viewer.as });
  const actions = refusalsIn(kit.logLines).map(({ action }) => action);
  expect(actions.sort()).toEqual(['apiKeys.delete', 'apiKeys.update']);
});

test('a refusal within a multi-search is a line', async () => {
  const { reading } = world;
  const searches = ['films', 'idle'].map((collection) => ({ collection, query: 'x' }));
  const request = { method: 'POST', path: '/api/multi-search', body: { searches }, as: { key: reading.key } };
  expect((await call(kit, request)).status).toBe(200);
  const line = { action: 'search.multi', code: 'FORBIDDEN', actor: `key ${reading.id}` };
  expect(refusalsIn(kit.logLines)).toEqual([expect.objectContaining(line)]);
});

test('a search that is answered is no line', async () => {
  const path = '/api/collections/films/search?query=x';
  expect((await call(kit, { method: 'GET', path, as: { key: world.reading.key } })).status).toBe(200);
  expect(kit.logLines).toEqual([]);
});

test('tries from one address are few lines and one entry, which say how many', async () => {
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(kit, listBy('vk_guessed'))));
  kit.deps.denials.lines.flush();
  const lines = refusalsIn(kit.logLines);
  expect(lines.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(50);
  // One at once and one that counts, in each second that it took.
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  expect(lines.length).toBeLessThanOrEqual(2 * (seconds + 1));
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
  const found = await Promise.all(ids.map(entriesOf));
  expect(found.flat().map(({ times }) => times)).toEqual([50]);
});

describe('of more different denials than the audit takes at a time', () => {
  const nobody = { kind: 'nobody', id: null } as const;
  /** What is in the table of those that `note` told. */
  async function writtenOf(
    action: string,
    tell: (note: (address: string, own?: Partial<Denial>) => void) => void,
  ): Promise<(typeof auditEntries.$inferSelect)[]> {
    const { record, clock } = kit.deps;
    const denials = createDenials({ record, clock, log: createLog('silent') });
    tell((address, own) => {
      const from = { requestId: address, address, userAgent: null };
      denials.note({ action, actor: nobody, workspaceId: null, target: null, from, ...own });
    });
    await denials.stop();
    return await record.db.select().from(auditEntries).where(eq(auditEntries.action, action));
  }

  test('it takes 200, however many addresses there are', async () => {
    const written = await writtenOf('flood', (note) => {
      for (let i = 0; i < 1_000; i++) note(`2001:db8::${i}`);
    });
    expect(written).toHaveLength(200);
  });

  test('a crowd leaves those of a workspace, and of an address in another network, in it', async () => {
    const written = await writtenOf('crowd', (note) => {
      for (let i = 0; i < 1_000; i++) note(`2001:db8:0:${i.toString(16)}::1`);
      for (let i = 0; i < 150; i++) note(`198.18.0.${i}`, { workspaceId: 7, actor: { kind: 'key', id: i } });
      note('203.0.113.9', { workspaceId: 8 });
      note('203.0.113.9');
      for (let i = 0; i < 1_000; i++) note(`2001:db8:0:${i.toString(16)}::2`);
    });
    const ofWorkspace = (id: number | null) => written.filter(({ workspaceId }) => workspaceId === id);
    expect(written).toHaveLength(200);
    expect(ofWorkspace(8)).toHaveLength(1);
    expect(
      written.filter(({ address, workspaceId }) => address === '203.0.113.9' && !workspaceId),
    ).toHaveLength(1);
    // Half of the room is for what is nobody's, half for workspaces.
    expect(ofWorkspace(null).length).toBeGreaterThanOrEqual(99);
    expect(ofWorkspace(7).length).toBeGreaterThanOrEqual(98);
  });
});

test('who has too much under way is named', async () => {
  const tight = await startKit({ settings: { requestsPerCaller: 1 } });
  try {
    const owner = await signUp(tight);
    const { id: projectId } = await createProject(tight, owner);
    const busy = await createKey(tight, owner, { projectId });
    tight.logLines.length = 0;
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(tight, listBy(busy.key))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const line = { action: 'request', code: 'TOO_MANY_REQUESTS', actor: `key ${busy.id}` };
    tight.deps.denials.lines.flush();
    const lines = refusalsIn(tight.logLines);
    for (const each of lines) expect(each).toMatchObject(line);
    expect(lines.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(refused.length);
  } finally {
    await tight.close();
  }
});

test('a throttle is one line, and none of the audit', async () => {
  const tight = await startKit({ settings: { signupsPerAddress: 1 } });
  try {
    await signUp(tight);
    tight.logLines.length = 0;
    await expect(signUp(tight)).rejects.toThrow('429');
    const line = { action: 'auth.register', code: 'TOO_MANY_REQUESTS', actor: 'nobody' };
    expect(refusalsIn(tight.logLines)).toEqual([expect.objectContaining(line)]);
    await tight.deps.denials.flush();
    expect(await tight.deps.record.db.$count(auditEntries, eq(auditEntries.outcome, 'refused'))).toBe(0);
  } finally {
    await tight.close();
  }
});

test('calls for which there is no room are few lines, which say how many', async () => {
  const path = '/api/collections/films/documents';
  const as = { key: world.good.key };
  const body = { id: 'large', text: 'x'.repeat(200_000) };
  await call(kit, { method: 'POST', path, body, as });
  // Each takes half of what is left, which comes to 64 KB.
  const others = Array.from({ length: 11 }, (_, i) => kit.deps.memory.answers.hold(`tenant ${i}`));
  const statuses: number[] = [];
  try {
    for (const held of others) held.raiseUpTo(Number.MAX_SAFE_INTEGER);
    for (let i = 0; i < 5; i += 1)
      statuses.push((await call(kit, { method: 'PATCH', path: `${path}/large`, body: { n: i }, as })).status);
  } finally {
    for (const held of others) held.release();
  }
  expect(statuses).toEqual([503, 503, 503, 503, 503]);
  kit.deps.denials.failures.warn.flush();
  const lines = kit.logLines.map((line) => JSON.parse(line)).filter(({ message }) => message === callFailed);
  const failed = {
    level: 'warn',
    path: 'documents.merge',
    code: 'UNAVAILABLE',
    actor: `key ${world.good.id}`,
  };
  expect(lines).toEqual([
    expect.objectContaining({ ...failed, requestId: expect.any(String) }),
    expect.objectContaining({ ...failed, times: 4 }),
  ]);
});
