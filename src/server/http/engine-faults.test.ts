import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorkerHost } from '#server/indexes/host/worker-host.ts';
import { createLog } from '#server/log.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { type Answer, call, createTenant, must } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { buildPlantedThread } from '../testing/planted-thread.ts';

/** Searches that hurt the engine's thread, and what another tenant hears meanwhile. */
interface Tenant {
  ask(method: string, path: string, body?: unknown): Promise<Answer<ErrorBody & { found: number }>>;
  search(query: string): Promise<Answer<ErrorBody & { found: number }>>;
}

let thread: Awaited<ReturnType<typeof buildPlantedThread>>;
let kit: Kit;
let hurt: Tenant;
let other: Tenant;

beforeAll(async () => {
  thread = await buildPlantedThread();
  const { startWorker, ticker } = thread;
  const log = createLog('silent');
  const host = createWorkerHost({ workers: 1, log, budgetMs: 1_000, ticker, startWorker });
  kit = await startKit({ database: 'bundled', host });
  other = await newTenant();
});
beforeEach(async () => {
  hurt = await newTenant();
});
afterAll(async () => {
  await kit.close();
  await thread.remove();
});

async function newTenant(): Promise<Tenant> {
  const { key } = await createTenant(kit);
  const ask: Tenant['ask'] = (method, path, body) =>
    call(kit, { method, path: `/api/collections/things/${path}`, body, as: key });
  await must(ask('POST', 'documents', { id: 'a', title: 'story' }));
  return { ask, search: (query) => ask('POST', 'search', { query }) };
}

/** Asked again where a busy machine gave it no turn within the budget. */
async function patiently(tenant: Tenant, query: string) {
  for (;;) {
    const answer = await tenant.search(query);
    if (answer.status !== 503 || answer.headers.get('retry-after') !== waitedTooLong) return answer;
  }
}
const waitedTooLong = '2';

const found = async (tenant: Tenant) => (await must(patiently(tenant, 'story'))).found;

test('a search that computes without end is ended, and others are answered meanwhile', async () => {
  for (let first = 'dear'; first === 'dear'; ) {
    const dear = hurt.search('steps without end');
    first = await Promise.race([dear.then(() => 'dear'), found(other).then(() => 'other')]);
    // Which of the two depends on whether it computed or waited for longer; where a busy machine gave nobody a turn, both are asked again.
    expect([422, 503]).toContain((await dear).status);
  }
});

test('a search that computes for longer than it may is a 422 that names the part', async () => {
  const { status, body } = await patiently(hurt, 'steps of more than a second');
  expect([status, body.details?.[0]?.path]).toEqual([422, 'filter_by']);
  expect(await found(hurt)).toBe(1);
});

test('one that ends the thread twice keeps its collection away until it is repaired, and nobody else', async () => {
  for (let times = 0; times < 2; times += 1) {
    const { status, headers } = await patiently(hurt, 'a step without end');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(await found(other)).toBe(1);
  }
  for (const [method, path, body] of [
    ['POST', 'search', { query: 'story' }],
    ['POST', 'documents', { id: 'b', title: 'another story' }],
    ['GET', 'documents', undefined],
  ] as const) {
    const { status, headers } = await hurt.ask(method, path, body);
    expect([status, headers.get('retry-after')], path).toEqual([503, '60']);
  }
  expect((await kit.app.request('/ready')).status).toBe(200);
  expect(await found(other)).toBe(1);
  expect((await hurt.ask('POST', 'repair')).status).toBe(200);
  expect(await found(hurt)).toBe(1);
});
