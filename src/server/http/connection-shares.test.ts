import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  call,
  createCollection,
  createKey,
  createProject,
  type SignedUp,
  signUp,
} from '../testing/callers.ts';
import { administer } from '../testing/databases.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { countLockWaits } from '../testing/lock-waits.ts';

/** Of the ten connections to the database one account takes no more than leaves some to others, whatever its statements wait for. */

let kit: Kit;
let greedy: SignedUp;
let other: SignedUp;
beforeAll(async () => {
  kit = await startKit();
  greedy = await signUp(kit);
  other = await signUp(kit);
});
afterAll(() => kit.close());

const hanging = () => countLockWaits(kit.deps.settings.databaseUrl ?? '');

test('statements of one account that hang leave connections to other accounts and to strangers', async () => {
  const { id } = await createProject(kit, greedy);
  await createProject(kit, other);
  const url = kit.deps.settings.databaseUrl ?? '';
  const rename = (name: string) =>
    call(kit, { method: 'PUT', path: `/api/projects/${id}`, body: { name }, as: greedy.as });
  const renamed = await administer(url, (sql) =>
    sql.begin(async (tx) => {
      await tx`select 1 from projects where id = ${id} for update`;
      const begun = Array.from({ length: 30 }, (_, i) => rename(`Name ${i}`));
      await expect.poll(hanging).toBe(8);
      const seen = await call<unknown[]>(kit, { method: 'GET', path: '/api/projects', as: other.as });
      expect([seen.status, seen.body.length]).toEqual([200, 2]);
      expect((await signUp(kit)).user.id).toBeGreaterThan(0);
      expect(await hanging()).toBe(8);
      return begun;
    }),
  );
  const statuses = await Promise.all(renamed.map(async (answer) => (await answer).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** Of their own, so many collections that nobody has searched yet; answers how they are searched. */
async function unopened(owner: SignedUp, count: number): Promise<(() => Promise<number>)[]> {
  const { id: projectId } = await createProject(kit, owner);
  const { key } = await createKey(kit, owner, { projectId });
  const names = Array.from({ length: count }, (_, i) => `things${i}`);
  for (const name of names) await createCollection(kit, owner, { projectId, name });
  return names.map((name) => async () => {
    const path = `/api/collections/${name}/search?query=x`;
    return (await call(kit, { method: 'GET', path, as: { key } })).status;
  });
}

test('so do indexes that are opened from the record', async () => {
  const [many, [one]] = [await unopened(greedy, 20), await unopened(other, 1)];
  const searched = await administer(kit.deps.settings.databaseUrl ?? '', (sql) =>
    sql.begin(async (tx) => {
      await tx`lock table documents in access exclusive mode`;
      const begun = many.map((search) => search());
      await expect.poll(hanging).toBe(8);
      begun.push(one?.() ?? Promise.resolve(0));
      await expect.poll(hanging).toBe(9);
      return begun;
    }),
  );
  expect(new Set(await Promise.all(searched))).toEqual(new Set([200]));
});
