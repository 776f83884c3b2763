import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  call,
  createCollection,
  createKey,
  createProject,
  type SignedUp,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { statementsOf } from '../testing/statements.ts';
import { listen, type RunningServer } from './node-server.ts';
import { createTurnAway } from './turn-away/turn-away.ts';

/** What a request shows is read and hashed once on its way, and who that is is asked until the end of it. */
let kit: Kit;
let server: RunningServer;
let owner: SignedUp;
let key: { id: number; key: string };
/** Between the look at a request's head and the app. */
let beforeApp: () => Promise<unknown>;

beforeAll(async () => {
  kit = await startKit({ database: 'bundled' });
  owner = await signUp(kit);
  const project = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  key = await createKey(kit, owner, { projectId: project.id });
  const fetch: Kit['app']['fetch'] = async (...given) => {
    await beforeApp();
    return kit.app.fetch(...given);
  };
  const app = { fetch, turnAway: createTurnAway(kit.deps) };
  server = await listen(app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
});
afterAll(async () => {
  await server.close({ graceMs: 1_000, keptAliveMs: 0 });
  await kit.close();
});
beforeEach(() => {
  beforeApp = async () => undefined;
});

/** Of which nothing is counted: the answer's id would be signed. */
async function search(headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${server.url}/api/collections/things/search?q=river&enable_analytics=false`, {
    headers,
  });
  await response.arrayBuffer();
  return response.status;
}

const byKey = () => search({ 'x-api-key': key.key });
const bySession = () => search(owner.as);
const cookieValue = () => owner.as.cookie.slice(owner.as.cookie.indexOf('=') + 1);

/** How often a text was hashed or signed meanwhile. */
async function hashed(text: string, task: () => Promise<unknown>): Promise<number> {
  const hash = vi.spyOn(crypto, 'hash');
  const others = [vi.spyOn(crypto, 'createHash'), vi.spyOn(crypto, 'createHmac')];
  syncBuiltinESMExports();
  try {
    await task();
    const calls = others.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    return hash.mock.calls.filter(([, data]) => data === text).length + calls;
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
}

describe('a request is hashed for once', () => {
  test('by its key, known or not', async () => {
    expect(await hashed(key.key, byKey)).toBe(1);
    expect(await hashed(key.key, byKey)).toBe(1);
    kit.deps.known.keys.clear();
    expect(await hashed(key.key, byKey)).toBe(1);
  });

  test('by its session', async () => {
    await bySession();
    expect(await hashed(cookieValue(), bySession)).toBe(1);
  });

  test('and sends no statement', async () => {
    await Promise.all([byKey(), bySession()]);
    const both = () => Promise.all([byKey(), bySession()]);
    // Timers send statements of their own now and then.
    await expect.poll(() => statementsOf(kit.deps.record, both)).toEqual([]);
  });
});

describe('what was good when its head was looked at', () => {
  test('is refused as a key that was switched off meanwhile', async () => {
    expect(await byKey()).toBe(200);
    const body = { isActive: false };
    beforeApp = () => call(kit, { method: 'PUT', path: `/api/api-keys/${key.id}`, body, as: owner.as });
    expect(await byKey()).toBe(401);
  });

  test('is refused as a session that was ended meanwhile', async () => {
    expect(await bySession()).toBe(200);
    beforeApp = () => call(kit, { method: 'POST', path: '/api/auth/logout', as: owner.as });
    expect(await bySession()).toBe(401);
  });
});
