import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { PLAN_LIMITS, type Plan, type QuotaName } from '#shared/plans.ts';
import type { Usage } from '#shared/usage.ts';
import { collections } from '../db/schema/collections.ts';
import { members, workspaces } from '../db/schema/workspaces.ts';
import {
  type Answer,
  type Credentials,
  call,
  createProject,
  createTenant,
  must,
  type SignedUp,
  signUp,
} from '../testing/callers.ts';
import { databases } from '../testing/databases.ts';
import { type Kit, startKit } from '../testing/kit.ts';
import { statementsOf } from '../testing/statements.ts';

/** What a plan gives is kept to, also by those who come at once, and what it gives one workspace is none of another's business. */
describe.each(databases)('quotas on the %s database', (database) => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ database, settings: { quotas: true } });
  });
  afterAll(() => kit.close());

  test('of a workspace that was purged meanwhile are those of none', async () => {
    const { quotas, record } = kit.deps;
    await expect(quotas.usage(record.db, 2_000_000_000)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const assert = () => record.write((db) => quotas.assertRoom(db, 2_000_000_000, { keys: 1 }));
    await expect(assert()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  async function tenant(plan: Plan = 'free') {
    const { owner, project, collection, key } = await createTenant(kit, { name: 'first', dimension: 2 });
    const { id: workspaceId } = owner.workspace;
    await setPlan(workspaceId, plan);
    return { owner, workspaceId, project, first: collection.id, key };
  }

  const setPlan = (workspaceId: number, plan: Plan) =>
    kit.deps.record.write(async (db) => {
      await db.update(workspaces).set({ plan }).where(eq(workspaces.id, workspaceId));
    });

  /** As if so much were in it. */
  const fill = (id: number, holds: { documentCount?: number; documentBytes?: number }) =>
    kit.deps.record.write(async (db) => {
      await db.update(collections).set(holds).where(eq(collections.id, id));
    });

  const createdAt = (owner: SignedUp, projectId: number, name: string) =>
    call<ErrorBody & { id: number }>(kit, {
      method: 'POST',
      path: '/api/collections',
      body: { name, projectId, dimension: 2 },
      as: owner.as,
    });

  const deleted = (owner: SignedUp, path: string) =>
    must(call(kit, { method: 'DELETE', path, as: owner.as }));

  const write = (as: Credentials, collection: number | string, document: Record<string, unknown>) =>
    call<ErrorBody>(kit, {
      method: 'POST',
      path: `/api/collections/${collection}/documents`,
      body: { embedding: [1, 0], ...document },
      as,
    });

  const usage = async (as: Credentials, workspaceId?: number) => {
    const path = `/api/usage${workspaceId === undefined ? '' : `?workspaceId=${workspaceId}`}`;
    return await must(call<Usage>(kit, { method: 'GET', path, as }));
  };

  const statuses = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).sort();

  function expectExceeded(
    answer: Answer<ErrorBody>,
    quota: QuotaName,
    { used = PLAN_LIMITS.free[quota] } = {},
  ) {
    const limit = PLAN_LIMITS.free[quota];
    expect(answer.body).toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringContaining(`uses ${used} of the ${limit} `),
      details: [{ path: `quotas.${quota}`, message: `used ${used}, limit ${limit}` }],
    });
    expect(answer.status).toBe(422);
  }

  test('the last collection goes to one of those who create one at once', async () => {
    const { owner, project } = await tenant();
    const other = await createProject(kit, owner, 'Other');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => createdAt(owner, i % 2 === 0 ? project.id : other.id, `c${i}`)),
    );
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 422, 422, 422, 422]);
    expectExceeded(await createdAt(owner, project.id, 'more'), 'collections');
    expect((await usage(owner.as, owner.workspace.id)).quotas.collections).toMatchObject({
      used: 5,
      limit: 5,
    });
  });

  test('what is deleted makes room, and is not restored when the room is taken', async () => {
    const { owner, project, first } = await tenant();
    for (let i = 0; i < 4; i += 1) expect((await createdAt(owner, project.id, `c${i}`)).status).toBe(201);
    await deleted(owner, `/api/collections/${first}`);
    expect((await createdAt(owner, project.id, 'in its place')).status).toBe(201);
    const restore = () =>
      call<{ error: { data: { appCode: string; details: unknown } } }>(kit, {
        method: 'POST',
        path: '/trpc/collections.restore',
        body: { id: first },
        as: owner.as,
      });
    const refused = await restore();
    expect(refused.status).toBe(422);
    expect(refused.body.error.data.details).toEqual([
      { path: 'quotas.collections', message: 'used 5, limit 5' },
    ]);
    await deleted(owner, '/api/collections/in%20its%20place');
    expect((await restore()).status).toBe(200);
  });

  test('a project is restored with all it holds, or not at all', async () => {
    const { owner, project, workspaceId, first } = await tenant();
    await fill(first, { documentCount: 6_000, documentBytes: 1_000 });
    await deleted(owner, `/api/projects/${project.id}`);
    const second = await createProject(kit, owner, 'Second');
    const { body: taken } = await createdAt(owner, second.id, 'taken');
    await fill(taken.id, { documentCount: 6_000 });
    const restore = () =>
      call<unknown>(kit, {
        method: 'POST',
        path: '/trpc/projects.restore',
        body: { id: project.id },
        as: owner.as,
      });
    expect((await restore()).status).toBe(422);
    expect((await usage(owner.as, workspaceId)).quotas).toMatchObject({
      collections: { used: 1 },
      documents: { used: 6_000 },
      bytes: { used: 0 },
      keys: { used: 0 },
    });
    await fill(taken.id, { documentCount: 0 });
    expect((await restore()).status).toBe(200);
    expect((await usage(owner.as, workspaceId)).quotas).toMatchObject({
      collections: { used: 2 },
      documents: { used: 6_000 },
      bytes: { used: 1_000 },
      keys: { used: 1 },
    });
  });

  test('the last API key goes to one of those who create one at once', async () => {
    const { owner, project } = await tenant();
    const other = await createProject(kit, owner, 'Other');
    const create = (projectId: number) =>
      call<ErrorBody>(kit, {
        method: 'POST',
        path: '/api/api-keys',
        body: { name: 'k', projectId },
        as: owner.as,
      });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create(i % 2 === 0 ? project.id : other.id)),
    );
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 422, 422, 422, 422]);
    expectExceeded(await create(project.id), 'keys');
  });

  test('a deleted API key makes room, and is not restored when the room is taken', async () => {
    const { owner, project, workspaceId } = await tenant();
    const create = () =>
      call<{ id: number }>(kit, {
        method: 'POST',
        path: '/api/api-keys',
        body: { name: 'k', projectId: project.id },
        as: owner.as,
      });
    const made = [await create(), await create(), await create(), await create()];
    expect(statuses(made)).toEqual([201, 201, 201, 201]);
    const id = made[0]?.body.id ?? 0;
    await deleted(owner, `/api/api-keys/${id}`);
    expect((await usage(owner.as, workspaceId)).quotas.keys).toMatchObject({ used: 4 });
    const { body: last } = await create();
    const restore = () =>
      call<unknown>(kit, { method: 'POST', path: '/trpc/apiKeys.restore', body: { id }, as: owner.as });
    expect((await restore()).status).toBe(422);
    await deleted(owner, `/api/api-keys/${last.id}`);
    expect((await restore()).status).toBe(200);
    expect((await usage(owner.as, workspaceId)).quotas.keys).toMatchObject({ used: 5 });
  });

  test('the last document goes to one of those who write at once, whatever the collection', async () => {
    const { owner, project, first, key, workspaceId } = await tenant();
    const second = (await createdAt(owner, project.id, 'second')).body.id;
    await fill(first, { documentCount: 9_996 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        write(key, i % 2 === 0 ? first : second, { id: `d${i}`, title: 'x' }),
      ),
    );
    expect(statuses(answers)).toEqual([...Array(4).fill(201), ...Array(6).fill(422)]);
    expectExceeded(await write(key, second, { id: 'more', title: 'x' }), 'documents');
    expect((await usage(key)).quotas.documents).toMatchObject({ used: 10_000, limit: 10_000 });
    expect((await usage(owner.as, workspaceId)).quotas.documents.used).toBe(10_000);
    // What was refused is nowhere.
    const found = await must(
      call<{ found: number }>(kit, {
        method: 'GET',
        path: `/api/collections/${second}/search?query=*`,
        as: key,
      }),
    );
    const ofSecond = answers.filter(({ status }, i) => i % 2 === 1 && status === 201);
    expect(found.found).toBe(ofSecond.length);
  });

  test('over a quota what is there can be replaced and deleted, and nothing added', async () => {
    const { first, key } = await tenant('starter');
    expect((await write(key, first, { id: 'a', title: 'long '.repeat(100) })).status).toBe(201);
    await fill(first, { documentCount: 20_000, documentBytes: 300 * 1024 ** 2 });
    const { workspaceId } = await usage(key);
    await setPlan(workspaceId, 'free');
    expectExceeded(await write(key, first, { id: 'b', title: 'x' }), 'documents', { used: 20_000 });
    expect((await write(key, first, { id: 'a', title: 'short' })).status).toBe(200);
    const { bytes } = (await usage(key)).quotas;
    expectExceeded(await write(key, first, { id: 'a', title: 'longer' }), 'bytes', { used: bytes.used });
    await must(call(kit, { method: 'DELETE', path: `/api/collections/${first}/documents/a`, as: key }));
    expect((await usage(key)).quotas.bytes.used).toBeLessThan(bytes.used);
  });

  test('over a quota what takes nothing of it is restored', async () => {
    const { owner, first, project, workspaceId } = await tenant('starter');
    const { body: empty } = await createdAt(owner, project.id, 'empty');
    await deleted(owner, `/api/collections/${empty.id}`);
    await fill(first, { documentCount: 20_000, documentBytes: 300 * 1024 ** 2 });
    await setPlan(workspaceId, 'free');
    const path = '/trpc/collections.restore';
    const restored = await call(kit, { method: 'POST', path, body: { id: empty.id }, as: owner.as });
    expect(restored.status).toBe(200);
  });

  test('an import ends where a quota does: no further row goes in, and each says why', async () => {
    const { first, key } = await tenant();
    await fill(first, { documentCount: 10_000 - 178 });
    const rows = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, embedding: [1, 0] }));
    const answer = await call<{
      succeeded: number;
      failed: number;
      results: { code?: string; error?: string }[];
    }>(kit, {
      method: 'POST',
      path: `/api/collections/${first}/documents/import`,
      body: rows,
      as: key,
    });
    expect(answer.status).toBe(207);
    // Of batches of 128 the second does not fit; the third would.
    expect(answer.body).toMatchObject({ succeeded: 128, failed: 172 });
    for (const { code, error } of answer.body.results.slice(128)) {
      expect(code).toBe('UNPROCESSABLE');
      expect(error).toContain('uses 9950 of the 10000 documents of its plan "free", and this would add 128');
    }
    expect((await usage(key)).quotas.documents.used).toBe(9_950);
  });

  test('bytes are those of the stored documents, whatever is done to them', async () => {
    const { first, key } = await tenant();
    const path = `/api/collections/${first}/documents`;
    const send = (method: string, rest: string, body?: unknown) =>
      call(kit, { method, path: `${path}${rest}`, body, as: key });
    const steps: (() => Promise<Answer<unknown>>)[] = [
      () => write(key, first, { id: 'a', title: 'naïve café 😀' }),
      () => write(key, first, { id: 'b', title: 'b'.repeat(10_000) }),
      () => write(key, first, { id: 'a', title: 'again' }),
      () => send('POST', '?action=create', { id: 'a', title: 'taken', embedding: [1, 0] }),
      () => send('POST', '?action=emplace', { id: 'a', year: 1927, embedding: [1, 0] }),
      () => send('PATCH', '/b', { title: 'short' }),
      () =>
        send(
          'POST',
          '/import',
          [...'cdefg'].flatMap((id) => [
            { id, n: 1 },
            { id, n: 'twice' },
          ]),
        ),
      () =>
        send(
          'POST',
          '/import?action=create',
          [...'efghi'].map((id) => ({ id, title: 'kept where it was' })),
        ),
      () => send('DELETE', '/c'),
      () => send('DELETE', '?filter_by=id:[d, e, h]'),
    ];
    for (const step of steps) {
      await step();
      const [row] = await kit.deps.record.sql`
        select document_bytes::int as told, document_count as count,
          (select sum(octet_length(source))::int from documents where collection_id = ${first}) as bytes,
          (select count(*)::int from documents where collection_id = ${first}) as documents
        from collections where id = ${first}`;
      expect(row).toMatchObject({ told: row?.['bytes'], count: row?.['documents'] });
      expect((await usage(key)).quotas.bytes.used).toBe(row?.['bytes']);
    }
  });

  test('a write takes as many statements as without quotas, and none counts documents', async () => {
    const { first, key, workspaceId } = await tenant();
    await write(key, first, { id: 'a', title: 'x' });
    // Timers send theirs now and then.
    const expectStatements = (task: () => Promise<unknown>) =>
      expect.poll(() => statementsOf(kit.deps.record, task));
    let written = 0;
    await expectStatements(() => write(key, first, { id: `d${++written}`, title: 'x' })).toEqual([
      expect.stringContaining('assert_document_quotas'),
    ]);
    const path = `/api/collections/${first}/search?query=x`;
    await expectStatements(() => call(kit, { method: 'GET', path, as: key })).toEqual([]);
    const reading = () => kit.deps.quotas.usage(kit.deps.record.db, workspaceId);
    await expectStatements(reading).toEqual([
      expect.not.stringContaining('from "documents"'),
      expect.stringContaining('"monthly_requests"'),
    ]);
  });

  test('one workspace’s use is neither charged to another nor shown to it', async () => {
    const [busy, quiet] = [await tenant(), await tenant()];
    await fill(busy.first, { documentCount: 10_000, documentBytes: 5_000 });
    expect((await write(busy.key, busy.first, { id: 'a' })).status).toBe(422);
    expect((await write(quiet.key, quiet.first, { id: 'a' })).status).toBe(201);
    expect((await usage(quiet.key)).quotas).toMatchObject({
      documents: { used: 1 },
      collections: { used: 1 },
    });
    for (const as of [quiet.key, quiet.owner.as]) {
      const path = `/api/usage?workspaceId=${busy.workspaceId}`;
      expect((await call(kit, { method: 'GET', path, as })).status).toBe(404);
    }
  });

  test('members count', async () => {
    const { workspaceId, owner } = await tenant();
    const others = [await signUp(kit), await signUp(kit), await signUp(kit)];
    const join = ({ user }: SignedUp) =>
      kit.deps.record.write(async (db) => {
        const member = { workspaceId, userId: user.id, role: 'viewer', createdAt: new Date() } as const;
        await db.insert(members).values(member);
        await kit.deps.quotas.assertRoom(db, workspaceId, { members: 1 });
      });
    const joined = await Promise.allSettled(others.map(join));
    expect(joined.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await usage(owner.as, workspaceId)).quotas.members).toMatchObject({ used: 3, limit: 3 });
  });
});

test('without quotas everything is counted and nothing limited', async () => {
  const kit = await startKit({ settings: { quotas: false } });
  try {
    const { collection, key } = await createTenant(kit);
    await kit.deps.record.write((db) => db.update(collections).set({ documentCount: 20_000 }));
    const path = `/api/collections/${collection.id}/documents`;
    const written = await call(kit, { method: 'POST', path, body: { id: 'a' }, as: key });
    expect(written.status).toBe(201);
    const usage = await must(call<Usage>(kit, { method: 'GET', path: '/api/usage', as: key }));
    expect(usage).toMatchObject({ isEnforced: false, plan: 'free' });
    expect(usage.quotas.documents).toEqual({ used: 20_001, limit: null, resetsAt: null });
    expect(Object.values(usage.quotas).map(({ limit }) => limit)).toEqual(Array(6).fill(null));
  } finally {
    await kit.close();
  }
});
