import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../callers.ts';
import { makeTarget, makeTenants, type Tenants } from '../isolation/world.ts';
import { type Kit, startKit } from '../kit.ts';
import { type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts';
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

/** After its success the things or the session that requests are about are gone. */
const spends =
  /^(auth\.(logout|changePassword|resetPassword)|sessions\.end|(workspaces|projects|collections)\.delete|apiKeys\.(delete|update))/;

test(`${requests} requests made up from the API's description are answered as it says, none by a fault of the server`, {
  timeout: 300_000 + 200 * requests,
}, async () => {
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
    const { status, body: answer } = await call<unknown>(kit, { ...request, as: world.callers(as) });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(
      status,
      `${request.method} ${request.path}: ${JSON.stringify(answer)?.slice(0, 500)}`,
    ).toBeLessThan(500);
    if (status < 300 && spends.test(operation.procedure.name)) world = await makeWorld();
  };
  await fc.assert(fc.asyncProperty(fuzzedRequest, send), { seed, numRuns: requests, endOnFailure: true });
  expect(sent).toBe(requests);
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  // Many must come further than to a refusal, or not much was tried.
  const done = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  expect(done / requests, JSON.stringify([...statuses])).toBeGreaterThan(0.2);
});
