import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createProject, type SignedUp, signUp } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';

interface Row {
  id: number;
}

describe.each(databases)('lists on the %s database', (database) => {
  let kit: Kit;
  let owner: SignedUp;
  let addresses: string[];
  beforeAll(async () => {
    kit = await startKit({ database });
    owner = await signUp(kit);
    const { id: workspaceId } = owner.workspace;
    const { id: projectId } = await createProject(kit, owner);
    const { sql } = kit.deps.record;
    await sql`with made as (insert into workspaces (name, slug) select n, n from generate_series(2, 120) n returning id)
      insert into members (workspace_id, user_id, role) select id, ${owner.user.id}, 'owner' from made`;
    await sql`insert into projects (workspace_id, name, slug) select ${workspaceId}, n, n from generate_series(2, 120) n`;
    await sql`insert into collections (project_id, name, dimension, metric)
      select ${projectId}, n, 2, 'cosine' from generate_series(1, 120) n`;
    await sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
      select ${projectId}, n, decode(md5(n::text), 'hex'), '', '', '{}' from generate_series(1, 120) n`;
    // What is deleted is not in the list and does not count.
    await sql`insert into projects (workspace_id, name, slug, deleted_at) values (${workspaceId}, 'gone', 'gone', now())`;
    await sql`insert into collections (project_id, name, dimension, metric, deleted_at)
      values (${projectId}, 'gone', 2, 'cosine', now())`;
    addresses = ['workspaces', 'projects', 'collections', `api-keys?projectId=${projectId}`];
  });
  afterAll(() => kit.close());

  async function get(address: string, page: Record<string, number> = {}) {
    const given = Object.entries(page).map(([name, value]) => `${name}=${value}`);
    const path = `/api/${address}${address.includes('?') ? '&' : '?'}${given.join('&')}`;
    const { status, body, headers } = await call<Row[]>(kit, { method: 'GET', path, as: owner.as });
    return { status, body, total: headers.get('x-total-count') };
  }

  test('the first hundred come unless told, and the header says how many there are', async () => {
    for (const address of addresses) {
      const { body, total } = await get(address);
      expect([address, body.length, total]).toEqual([address, 100, '120']);
    }
  });

  test('pages follow each other without a gap; beyond the last there is nothing', async () => {
    for (const address of addresses) {
      const all = await get(address, { per_page: 250 });
      expect([address, all.body.length, all.total]).toEqual([address, 120, '120']);
      const pages = [];
      for (const page of [1, 2, 3, 4]) pages.push(await get(address, { page, per_page: 50 }));
      expect(pages.map(({ body, total }) => [body.length, total])).toEqual([
        [50, '120'],
        [50, '120'],
        [20, '120'],
        [0, '120'],
      ]);
      expect(pages.flatMap(({ body }) => body)).toEqual(all.body);
      const ids = all.body.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
  });

  test('a page that cannot be is refused and named', async () => {
    for (const address of addresses) {
      for (const [name, value] of [
        ['page', 0],
        ['page', 1.5],
        ['page', Number.MAX_SAFE_INTEGER],
        ['per_page', 0],
        ['per_page', 251],
      ] as const) {
        const { status, body } = await get(address, { [name]: value });
        expect([address, value, status]).toEqual([address, value, 400]);
        expect(body).toMatchObject({ details: [{ path: name }] });
      }
    }
  });
});
