import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callFailed } from '#server/audit/denials.ts';
import { AppError } from '#server/errors.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import type { MergedSearchAnswer, MultiSearchAnswer } from '#shared/search.ts';

/** Searches fail on our side, also one of several: then the answer is a 200, so only the log can tell. */
let kit: Kit;
let key: string;
/** What the engine throws at every search of this collection. */
let planted: { collectionId: number; error: Error };
const searching = ['search', 'tellWords', 'tellSides', 'rankShared', 'hitsOfPicked'];
const { host } = watchedHost((name, collectionId) => {
  if (collectionId === planted?.collectionId && searching.includes(name)) throw planted.error;
});
let filmsId: number;

beforeAll(async () => {
  kit = await startKit({ host });
  const owner = await signUp(kit);
  const { id: projectId } = await createProject(kit, owner);
  ({ id: filmsId } = await createCollection(kit, owner, { projectId, name: 'films' }));
  await createCollection(kit, owner, { projectId, name: 'books' });
  ({ key } = await createKey(kit, owner, { projectId }));
  for (const name of ['films', 'books']) {
    const path = `/api/collections/${name}/documents`;
    await must(call(kit, { method: 'POST', path, body: { id: '1', title: 'robot' }, as: { key } }));
  }
});
afterAll(() => kit.close());
beforeEach(() => {
  kit.logLines.length = 0;
});

const send = <T>(body: object) =>
  must(call<T>(kit, { method: 'POST', path: '/api/multi-search', body, as: { key } }));

const cause = new Error('the postings are gone');
const cases = [
  { level: 'error', error: cause, told: { code: 'INTERNAL', message: 'Something went wrong on our side' } },
  {
    level: 'warn',
    error: new AppError('UNAVAILABLE', 'Come back soon', { cause }),
    told: { code: 'UNAVAILABLE', message: 'Come back soon' },
  },
];

function expectLogged(level: string, code: string): void {
  const lines = kit.logLines.map((line) => JSON.parse(line) as { level: string; message: string });
  const failed = lines.filter(({ message }) => message === 'one of several searches failed');
  expect(failed).toMatchObject([{ level, code }]);
  expect(JSON.stringify(failed)).toContain(cause.message);
}

test.each(cases)('$told.code in its place: the caller is told that, the log why', async (planned) => {
  const { level, error, told } = planned;
  planted = { collectionId: filmsId, error };
  const searches = ['books', 'films'].map((collection) => ({ collection, query: 'robot' }));
  const { results } = await send<MultiSearchAnswer>({ searches });
  expect(results).toEqual([expect.objectContaining({ found: 1 }), { error: told }]);
  expectLogged(level, told.code);
});

test.each(cases)('$told.code beside one list: the caller is told that, the log why', async (planned) => {
  const { level, error, told } = planned;
  planted = { collectionId: filmsId, error };
  const searches = [{ collections: ['films', 'books'], query: 'robot' }];
  const { found, failures } = await send<MergedSearchAnswer>({ searches, merge: {} });
  expect(found).toBe(1);
  expect(failures).toMatchObject([{ reference: 'films', error: told }]);
  expectLogged(level, told.code);
});

test('a call that fails again and again by a fault of ours is one line, and then one that says how often', async () => {
  planted = { collectionId: filmsId, error: cause };
  const path = '/api/collections/films/search?q=robot';
  for (let i = 0; i < 5; i += 1)
    expect((await call(kit, { method: 'GET', path, as: { key } })).status).toBe(500);
  kit.deps.denials.failures.error.flush();
  const lines = kit.logLines.map((line) => JSON.parse(line)).filter(({ message }) => message === callFailed);
  expect(lines).toMatchObject([
    { level: 'error', path: 'search.keyword', code: 'INTERNAL', requestId: expect.any(String) },
    { level: 'error', path: 'search.keyword', code: 'INTERNAL', times: 4 },
  ]);
  expect(JSON.stringify(lines[0])).toContain(cause.message);
});
