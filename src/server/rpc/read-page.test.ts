import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createProject, type SignedUp, signUp } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';

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
    await sql`insert into projects (workspace_id, name, slug) select ${workspaceId}, n, n from generate_series(3, 120) n`;
    await sql`insert into collections (project_id, name, dimension, metric)
      select ${projectId}, n, 2, 'cosine' from generate_series(1, 120) n`;
    await sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
      select ${projectId}, n, decode(md5(n::text), 'hex'), '', '', '{read}' from generate_series(1, 120) n`;
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

const answerBytesMax = 2 * 1024 * 1024;

describe.each(databases)('long and large lists on the %s database', (database) => {
  let kit: Kit;
  let owner: SignedUp;
  let projectId: number;
  beforeAll(async () => {
    kit = await startKit({ database, settings: { answerBytesMax } });
    owner = await signUp(kit);
    ({ id: projectId } = await createProject(kit, owner));
    const { sql } = kit.deps.record;
    // Each has some 100 KB of metadata.
    await sql`
      insert into collections (project_id, name, dimension, metric, metadata)
      select ${projectId}, n, 2, 'cosine', (
        select jsonb_build_object('fields', jsonb_agg(
          jsonb_build_object('name', repeat('x', 200) || field, 'type', 'string', 'required', false)))
        from generate_series(1, 400) field)
      from generate_series(1, 40) n`;
  });
  afterAll(() => kit.close());

  const send = (path: string) => call<Row[] & ErrorBody>(kit, { method: 'GET', path, as: owner.as });

  /** With the statements that read rows of collections. */
  async function reading(path: string) {
    let answer: Awaited<ReturnType<typeof send>> | undefined;
    const texts = await statementsOf(kit.deps.record, async () => {
      answer = await send(path);
    });
    const reads = texts.filter((text) => text.startsWith('select "collections"'));
    return { status: answer?.status, body: answer?.body, headers: answer?.headers, reads: reads.length };
  }

  test('a page of more than an answer may have is refused before it is read', async () => {
    const whole = await reading('/api/collections');
    expect(whole).toMatchObject({ status: 422, reads: 0 });
    expect(whole.body).toMatchObject({ code: 'UNPROCESSABLE', details: [{ path: 'per_page' }] });
    const part = await reading('/api/collections?page=3&per_page=10');
    expect(part).toMatchObject({ status: 200, reads: 1 });
    expect(part.body).toHaveLength(10);
    expect(part.headers?.get('x-total-count')).toBe('40');
  });

  test('a page for which there is no room now is refused before it is read', async () => {
    const { answers } = kit.deps.memory;
    const others = Array.from({ length: 12 }, (_, i) => answers.hold(`account ${i}`));
    // Each leaves as much free as it takes.
    for (const other of others) other.raiseUpTo(limits.answersBytesMax);
    const path = '/api/collections?per_page=10';
    const refused = await reading(path);
    expect(refused).toMatchObject({ status: 503, reads: 0 });
    expect(refused.headers?.get('retry-after')).toBe('1');
    for (const other of others) other.release();
    expect(await reading(path)).toMatchObject({ status: 200, reads: 1 });
    expect(answers.heldBytes).toBe(0);
  });

  test('calls of one batch have equal parts of an answer', async () => {
    const names = Array(limits.batchCallsMax).fill('collections.list').join();
    const inputs = (perPage: number) =>
      Object.fromEntries(names.split(',').map((_, i) => [i, { page: i + 1, per_page: perPage }]));
    const batch = (perPage: number) =>
      reading(`/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs(perPage)))}`);
    const two = await batch(2);
    expect(two.reads).toBe(0);
    expect(two.body).toEqual(
      names.split(',').map(() => ({
        error: expect.objectContaining({
          data: expect.objectContaining({
            appCode: 'UNPROCESSABLE',
            details: [expect.objectContaining({ path: 'per_page' })],
          }),
        }),
      })),
    );
  });

  test('the names of a key’s collections count among the bytes of its page, and come in the key’s order', async () => {
    const { id } = await createProject(kit, owner);
    const { sql } = kit.deps.record;
    await sql`insert into collections (project_id, name, dimension, metric, deleted_at)
      select ${id}, n || repeat('x', 120), 2, 'cosine', case when n = 500 then now() end from generate_series(1, 1000) n`;
    await sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions, collection_ids)
      select ${id}, n, decode(md5(${`${id}`} || n::text), 'hex'), '', '', '{read}',
        (select array_agg(collections.id order by collections.id desc) from collections where project_id = ${id})
      from generate_series(1, 20) n`;
    const path = `/api/api-keys?projectId=${id}`;
    const { status, body } = await send(path);
    expect(status).toBe(422);
    expect(body).toMatchObject({ details: [{ path: 'per_page' }] });
    const one = await send(`${path}&page=20&per_page=1`);
    const places = Array.from({ length: 1_000 }, (_, i) => 1_000 - i).filter((n) => n !== 500);
    expect(one.body).toMatchObject([
      { name: '20', collections: places.map((n) => `${n}${'x'.repeat(120)}`) },
    ]);
  });

  test('a long list is counted so far and no further, and paged to a bound', async () => {
    const { workspace } = await signUp(kit);
    const { sql } = kit.deps.record;
    await sql`insert into members (workspace_id, user_id, role) values (${workspace.id}, ${owner.user.id}, 'owner')`;
    const path = `/api/audit-entries?workspaceId=${workspace.id}`;
    const { countedRowsMax, pagedRowsMax, perPageMax } = limits;
    const add = (entries: number) => sql`
      insert into audit_entries (created_at, action, outcome, times, actor_kind, workspace_id)
      select now(), 'test', 'done', 1, 'nobody', ${workspace.id} from generate_series(1, ${entries}::int)`;
    await add(countedRowsMax);
    expect((await send(path)).headers.get('x-total-count')).toBe(`${countedRowsMax}`);
    await add(30);
    const last = await send(`${path}&per_page=${perPageMax}&page=${countedRowsMax / perPageMax + 1}`);
    expect([last.body.length, last.headers.get('x-total-count')]).toEqual([30, `${countedRowsMax}+`]);
    const pages = pagedRowsMax / perPageMax;
    expect((await send(`${path}&per_page=${perPageMax}&page=${pages}`)).body).toEqual([]);
    const beyond = await send(`${path}&per_page=${perPageMax}&page=${pages + 1}`);
    expect(beyond.status).toBe(400);
    expect(beyond.body).toMatchObject({ details: [{ path: 'page' }] });
  });
});
