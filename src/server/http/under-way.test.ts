import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must, origin } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { watchedHost } from '../testing/watched-host.ts';

/** Work that goes on counts, whether or not its caller is still there. */
const perCaller = 2;
let kit: Kit;
let key: string;
let isHeld = true;
let release: () => void = () => undefined;
let arrived = 0;

const watched = watchedHost(async (name) => {
  if (name !== 'ids' || !isHeld) return;
  arrived += 1;
  const before = release;
  await new Promise<void>((resolve) => {
    release = () => {
      before();
      resolve();
    };
  });
});

beforeAll(async () => {
  kit = await startKit({
    database: 'bundled',
    host: watched.host,
    settings: { requestsPerCaller: perCaller },
  });
  key = (await createTenant(kit)).key.key;
  const body = { id: 'a', title: 'river' };
  await must(call(kit, { method: 'POST', path: '/api/collections/things/documents', body, as: { key } }));
});
afterAll(() => kit.close());

const path = '/api/collections/things/documents?filter_by=title:=nothing';

test('a deletion whose caller hangs up is under way until it is done', async () => {
  const caller = new AbortController();
  const headers = { host: 'localhost', 'x-api-key': key };
  const under = Array.from({ length: perCaller }, () =>
    Promise.resolve(
      kit.app.request(`${origin}${path}`, { method: 'DELETE', headers, signal: caller.signal }),
    ).catch(() => null),
  );
  await expect.poll(() => arrived).toBeGreaterThan(0);
  caller.abort();
  expect((await call(kit, { method: 'DELETE', path, as: { key } })).status).toBe(429);
  isHeld = false;
  release();
  await Promise.all(under);
  expect((await call(kit, { method: 'DELETE', path, as: { key } })).status).toBe(200);
});
