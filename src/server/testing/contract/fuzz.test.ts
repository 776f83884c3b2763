import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '#server/rest/catalogue.ts';
import { property } from '#server/rest/input-schema.ts';
import { call, origin } from '../callers.ts';
import { makeTarget, makeTenants, type Tenants } from '../isolation/world.ts';
import { type Kit, startKit } from '../kit.ts';
import { arbitraryOfField } from './arbitrary-of.ts';
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts';
import { holdBody } from './hold-to-description.ts';
import { toRequest } from './to-request.ts';

/** `npm run test:long` sends some thousands, another seed each time. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 300);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** What earlier requests have changed is left behind now and then. */
const requestsPerWorld = 40;

let kit: Kit;
let tenants: Tenants;
beforeAll(async () => {
  kit = await startKit();
  tenants = await makeTenants(kit.deps);
});
afterAll(() => kit.close());

const makeWorld = () =>
  makeTarget(kit.deps, tenants, { before: 'conversation begun', endsSession: true }, [
    'nobody',
    'the owner',
    "the project's key",
  ]);

const searched = 'POST /api/collections/{name}/hybrid-search';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** After its success the things or the session that requests are about are gone. */
const spends =
  /^(auth\.(logout|changePassword|resetPassword)|sessions\.end|(workspaces|projects|collections)\.delete|apiKeys\.(delete|update))/;

/** Sends requests until one is not answered as it should be. @throws Error */
async function fuzz(to: Pick<Kit, 'app'>, { numRuns }: { numRuns: number }) {
  const statuses = new Map<number, number>();
  let world = await makeWorld();
  let sent = 0;
  const send = async ({ operation, as, changed, dropped, body }: FuzzedRequest) => {
    sent += 1;
    if (sent % requestsPerWorld === 0) world = await makeWorld();
    const left = Object.fromEntries(dropped.map((name) => [name, undefined]));
    const request = toRequest(operation, world.target, { changed: { ...changed, ...left }, serial: sent });
    if (body !== null && request.body !== undefined) request.body = body;
    // Throws for an answer that is not as described.
    const { status, body: answer } = await call<unknown>(to, { ...request, as: world.callers(as) });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(
      status,
      `${request.method} ${request.path}: ${JSON.stringify(answer)?.slice(0, 500)}`,
    ).toBeLessThan(500);
    if (status < 300 && spends.test(operation.procedure.name)) world = await makeWorld();
  };
  await fc.assert(fc.asyncProperty(fuzzedRequest, send), { seed, numRuns, endOnFailure: true });
  return { sent, statuses };
}

test(`${requests} requests made up from the API's description are answered as it says, none by a fault of the server`, {
  timeout: 300_000 + 200 * requests,
}, async () => {
  const { sent, statuses } = await fuzz(kit, { numRuns: requests });
  expect(sent).toBe(requests);
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  // Many must come further than to a refusal, or not much was tried.
  const done = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  expect(done / requests, JSON.stringify([...statuses])).toBeGreaterThan(0.2);
});

test('searches by places and vectors in each of their forms are made up, and most are answered', async () => {
  const world = await makeWorld();
  const search = catalogue.find(({ method, path }) => `${method} ${path}` === searched);
  if (!search) throw new Error(`${searched} is no operation`);
  const names = ['filter_by', 'sort_by', 'vector_query'];
  const made = fc.record(
    Object.fromEntries(names.map((name) => [name, arbitraryOfField(name, property(search, name) ?? {})])),
    { requiredKeys: [] },
  );
  const answered: Record<string, unknown>[] = [];
  const send = async (changed: Record<string, unknown>) => {
    const request = toRequest(search, world.target, { changed, serial: 1 });
    const { status } = await call<unknown>(kit, { ...request, as: world.callers('the owner') });
    expect(status).toBeLessThan(500);
    if (status === 200) answered.push(changed);
  };
  // The same ones each time: of others some form might be too seldom.
  await fc.assert(fc.asyncProperty(made, send), { seed: 1, numRuns: 300, endOnFailure: true });
  const forms: [string, (given: Record<string, unknown>) => boolean][] = [
    ['a circle', ({ filter_by }) => /at:\([^)]* (km|mi|m)\)/.test(String(filter_by))],
    ['a polygon', ({ filter_by }) => /at:\((-?[\d.e-]+, ){5,}-?[\d.e-]+\)/.test(String(filter_by))],
    ['a distance', ({ sort_by }) => /at\(.*\):/.test(String(sort_by))],
    ['a vector', ({ vector_query }) => Array.isArray(vector_query)],
    ['a vector with options', ({ vector_query: given }) => isObject(given) && 'vector' in given],
    ['a document', ({ vector_query: given }) => isObject(given) && 'id' in given],
    ['a vector as text', ({ vector_query }) => /^embedding:\(\[[^\]]/.test(String(vector_query))],
  ];
  for (const [form, isOf] of forms) expect(answered.filter(isOf).length, form).toBeGreaterThan(2);
});

describe('a planted fault is found', () => {
  /** The same server, but for what is done to some of its answers. */
  const planted = (change: (url: URL, answer: Response) => Promise<Response>): Pick<Kit, 'app'> => {
    const request = async (url: string, init: RequestInit = {}) => {
      const answer = await change(new URL(url), await kit.app.request(url, init));
      return holdBody({ method: init.method ?? 'GET', path: url.slice(origin.length) }, answer);
    };
    return { app: Object.assign(Object.create(kit.app), { request }) };
  };

  const causedBy = (text: string) => ({ cause: { message: expect.stringContaining(text) } });

  test('a fault of the server with one value of one parameter', async () => {
    const broken = planted(async (url, answer) =>
      url.searchParams.get('per_page') === '250'
        ? Response.json({ message: '', code: 'INTERNAL', requestId: '' }, { status: 500 })
        : answer,
    );
    await expect(fuzz(broken, { numRuns: 400 })).rejects.toMatchObject(causedBy('to be less than 500'));
  });

  test('a field that is answered and not described', async () => {
    const broken = planted(async (url, answer) =>
      answer.status === 200 && url.pathname.endsWith('search')
        ? Response.json({ ...(await answer.json()), leaked: 1 }, answer)
        : answer,
    );
    await expect(fuzz(broken, { numRuns: 400 })).rejects.toMatchObject(causedBy('leaked'));
  });
});
