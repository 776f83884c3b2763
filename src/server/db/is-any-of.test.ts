import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createCollection, createKey, must, type SignedUp, signUp } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { callAs } from '#server/testing/procedure-caller.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { RecordStore } from './client.ts';
import { isAnyOf } from './is-any-of.ts';
import { users } from './schema/accounts.ts';

describe.each(databases)('a column is one of some values, %s', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
  });
  afterAll(() => close());

  const names = ['plain', 'a"b', 'c\\d', 'e,f', '{g}', "h'i", 'NULL', ' ', 'ü 𝒳'];

  test('whatever is in them', async () => {
    await record.write((db) =>
      db.insert(users).values(
        names.map((name) => ({
          email: name,
          emailKey: name,
          username: name,
          usernameKey: name,
          passwordHash: '-',
        })),
      ),
    );
    const find = async (asked: string[]) => {
      const rows = await record.db
        .select()
        .from(users)
        .where(isAnyOf(users.username, asked))
        .orderBy(users.id);
      return rows.map(({ username }) => username);
    };
    expect(await find([...names, 'another'])).toEqual(names);
    for (const name of names) expect(await find([name])).toEqual([name]);
    expect(await find(['null', 'a', 'b'])).toEqual([]);
    expect(await find([])).toEqual([]);
  });

  test('numbers up to the largest that is exact', async () => {
    const find = (asked: number[]) => record.db.$count(users, isAnyOf(users.id, asked));
    expect(await find([2, 1, 1, Number.MAX_SAFE_INTEGER])).toBe(2);
  });
});

describe('requests with lists', () => {
  let kit: Kit;
  let owner: SignedUp;
  beforeAll(async () => {
    kit = await startKit();
    owner = await signUp(kit);
  });
  afterAll(() => kit.close());

  const send = <T>(method: string, path: string, as: SignedUp['as'] | { key: string }, body?: unknown) =>
    must(call<T>(kit, { method, path, as, body }));

  /** Everything that takes a list to the record, with a list of so many. */
  async function passLists(length: number): Promise<void> {
    const user = { kind: 'user', userId: owner.user.id, sessionId: '', isConfirmed: true } as const;
    const workspace = await send<{ id: number }>('POST', '/api/workspaces', owner.as, { name: `W${length}` });
    const projects = [];
    for (let i = 0; i < length; i++) {
      projects.push(
        await send<{ id: number }>('POST', '/api/projects', owner.as, {
          name: `P${i}`,
          workspaceId: workspace.id,
        }),
      );
    }
    const projectId = projects[0]?.id ?? 0;
    const names = Array.from({ length }, (_, i) => `films${i}`);
    for (const name of names) await createCollection(kit, owner, { projectId, name });
    const key = await createKey(kit, owner, { projectId, collections: names });
    const searches = names.map((collection) => ({ collection, query: 'solaris' }));
    await send('POST', '/api/multi-search', key, { searches });
    await send('GET', '/api/collections', key);
    for (const path of ['stats', 'recent-activity', 'api-usage'])
      await send('GET', `/api/dashboard/${path}`, owner.as);
    // A use and a counter each.
    for (const project of projects) {
      const other = await createKey(kit, owner, { projectId: project.id });
      await send('GET', '/api/collections', other);
    }
    await kit.deps.auth.flush();
    await kit.deps.telemetry.flush();
    await send('DELETE', `/api/workspaces/${workspace.id}`, owner.as);
    await callAs(kit.deps, user).workspaces.restore({ id: workspace.id });
  }

  test('have one statement for all lengths', async () => {
    const texts = await statementsOf(kit.deps.record, async () => {
      for (const length of [1, 2, 3, 5, 8]) await passLists(length);
    });
    const distinct = [...new Set(texts)];
    expect(distinct.length).toBeGreaterThan(20);
    const shapes = distinct.map(withoutLists);
    expect(distinct.filter((_, place) => shapes.indexOf(shapes[place] ?? '') < place)).toEqual([]);
  });
});

/** With one parameter in place of several in a row. */
const withoutLists = (text: string) => text.replace(/(\(?\$\d+(::\w+)?\)?(, )?)+/g, '$');
