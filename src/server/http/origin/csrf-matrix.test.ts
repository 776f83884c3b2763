import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../rest/catalogue.ts';
import { procedures } from '../../rpc/procedures.ts';
import { origin, type SignedUp, signUp } from '../../testing/callers.ts';
import { type Kit, startKit } from '../../testing/kit.ts';

/** Every call that changes something, with a session, from everywhere but our own pages. */
let kit: Kit;
let owner: SignedUp;
beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
});
afterAll(() => kit.close());

const hostile: Record<string, string>[] = [
  {},
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://evil.example' },
  { origin: 'https://localhost' },
  { origin: 'http://localhost:8080' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://evil.example/http://localhost' },
  { origin: 'http://localhost, https://evil.example' },
  { origin: 'file://' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin },
  { 'sec-fetch-site': 'same-site', origin },
  { 'sec-fetch-site': 'none', origin },
  { 'sec-fetch-site': 'Same-Origin', origin },
  { 'sec-fetch-site': '', origin },
  { referer: `${origin}/dashboard` },
  { authorization: 'Basic eDp5', origin: 'https://evil.example' },
];
const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/x-ndjson',
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  '',
];

const unsafe = catalogue
  .filter(({ method }) => method !== 'GET')
  .map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '1')] as const);
const mutations = [...procedures.values()].filter(({ type }) => type === 'mutation').map(({ name }) => name);
const trpc = mutations.flatMap((name) => [
  ['POST', `/trpc/${name}`] as const,
  ['POST', `/trpc/auth.logout,${name}?batch=1`] as const,
]);

test('there are as many as there should be', () => {
  expect(unsafe.length).toBeGreaterThan(20);
  expect(trpc.length).toBeGreaterThan(30);
});

const requests = [...unsafe, ...trpc].map(([method, path], place) => ({ method, path, place }));

/**
 * `npm run test:long` asks each path from every origin with every type. Otherwise each path is asked from every origin, and with every type, and each of these
 * pairs is sent to a ninth of the paths.
 */
const isWhole = process.env['LONG_TESTS'] !== undefined;
const pairsFor = (place: number) =>
  hostile.flatMap((from, step) =>
    types.filter((_, i) => isWhole || i === (place + step) % types.length).map((type) => ({ from, type })),
  );

test.runIf(isWhole)('all of them together are more than were tried by hand', () => {
  const pairs = requests.map(({ place }) => pairsFor(place).length);
  expect(pairs.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(7_668);
});

test.each(requests)('$method $path', async ({ method, path, place }) => {
  for (const { from, type } of pairsFor(place)) {
    const headers = { ...from, cookie: owner.as.cookie, host: 'localhost', 'content-type': type };
    const answer = await kit.app.request(`${origin}${path}`, { method, headers, body: '{}' });
    const text = await answer.text();
    const said = `${JSON.stringify(from)} ${type}: ${answer.status} ${text.slice(0, 200)}`;
    // tRPC takes JSON only and knows no streams, whoever asks.
    if (path.startsWith('/trpc/')) expect([403, 404, 415], said).toContain(answer.status);
    else expect(answer.status, said).toBe(403);
    expect(text).not.toContain('"result"');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  }
});
