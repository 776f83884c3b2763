import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createProject, type SignedUp, signUp } from '../testing/callers.ts';
import { administer } from '../testing/databases.ts';
import { type Kit, startKit } from '../testing/kit.ts';

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

test('statements of one account that hang leave connections to other accounts and to strangers', async () => {
  const { id } = await createProject(kit, greedy);
  await createProject(kit, other);
  const url = kit.deps.settings.databaseUrl ?? '';
  const rename = (name: string) =>
    call(kit, { method: 'PUT', path: `/api/projects/${id}`, body: { name }, as: greedy.as });
  const hanging = () =>
    administer(url, async (sql) => {
      const rows = await sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and application_name = 'vectora'`;
      return rows.length;
    });
  const renamed = await administer(url, (sql) =>
    sql.begin(async (tx) => {
      await tx`select 1 from projects where id = ${id} for update`;
      const begun = Array.from({ length: 30 }, (_, i) => rename(`Name ${i}`));
      await expect.poll(hanging).toBe(8);
      const seen = await call<unknown[]>(kit, { method: 'GET', path: '/api/projects', as: other.as });
      expect([seen.status, seen.body.length]).toEqual([200, 1]);
      expect((await signUp(kit)).user.id).toBeGreaterThan(0);
      expect(await hanging()).toBe(8);
      return begun;
    }),
  );
  const statuses = await Promise.all(renamed.map(async (answer) => (await answer).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});
