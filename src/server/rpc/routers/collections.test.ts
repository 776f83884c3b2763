import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import type { Deps } from '#server/deps.ts';
import { startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { seeNamed } from '../scope.ts';

describe('collections', () => {
  let deps: Deps;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ deps, close } = await startKit());
  });
  afterAll(() => close());

  async function keyCaller(tenant: Awaited<ReturnType<typeof newTenant>>, limitedTo: string[] | null = null) {
    const { key } = await tenant.call.apiKeys.create({
      name: 'Key',
      projectId: tenant.project.id,
      collections: limitedTo,
    });
    return callAs(deps, await deps.auth.authenticateKey(key ?? ''));
  }

  test('a new collection has the documented defaults', async () => {
    const { call, project } = await newTenant(deps);
    const created = await call.collections.create({ name: 'Films', projectId: project.id });
    expect(created).toEqual({
      id: created.id,
      name: 'Films',
      description: null,
      dimension: 768,
      metric: 'cosine',
      projectId: project.id,
      metadata: null,
      model: 'builtin',
      documentCount: 0,
      upgradedCount: 0,
      isActive: true,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    });
    const read = { ...created, toUpgradeCount: 0 };
    expect(await call.collections.get({ collection: created.id })).toEqual(read);
    expect(await call.collections.get({ collection: 'Films' })).toEqual(read);
  });

  test('a name is taken once per project, case counts, and a deleted one is free', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const first = await call.collections.create({ name: 'Films', projectId: project.id });
    const other = await call.collections.create({ name: 'films', projectId: project.id });
    const taken = { code: 'CONFLICT', message: expect.stringContaining('"Films"') };
    await expect(call.collections.create({ name: 'Films', projectId: project.id })).rejects.toMatchObject(
      taken,
    );
    const rename = call.collections.update({ collection: other.id, name: 'Films' });
    await expect(rename).rejects.toMatchObject(taken);
    const elsewhere = await call.projects.create({ name: 'Elsewhere', workspaceId: workspace.id });
    await call.collections.create({ name: 'Films', projectId: elsewhere.id });
    await call.collections.delete({ collection: first.id });
    const second = await call.collections.create({ name: 'Films', projectId: project.id });
    await expect(call.collections.restore({ id: first.id })).rejects.toMatchObject(taken);
    await call.collections.update({ collection: second.id, name: 'Other films' });
    expect(await call.collections.restore({ id: first.id })).toMatchObject({ id: first.id, name: 'Films' });
  });

  test('of many creations with one name at the same moment, one succeeds', async () => {
    const { call, project } = await newTenant(deps);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => call.collections.create({ name: 'Race', projectId: project.id })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CONFLICT' });
    }
  });

  test('a session finds by id first, then by a name that only one bears', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const films = await call.collections.create({ name: 'Films', projectId: project.id });
    const numeric = await call.collections.create({ name: String(films.id), projectId: project.id });
    expect((await call.collections.get({ collection: films.id })).id).toBe(films.id);
    const elsewhere = await call.projects.create({ name: 'Elsewhere', workspaceId: workspace.id });
    const second = await call.collections.create({ name: 'Films', projectId: elsewhere.id });
    const several: unknown = await call.collections
      .get({ collection: 'Films' })
      .catch((error: unknown) => error);
    expect(several).toMatchObject({ code: 'CONFLICT' });
    const details = JSON.stringify((several as Error).cause);
    for (const { id } of [films, second]) expect(details).toContain(`id ${id}`);

    const tenant = { call, workspace, project } as Awaited<ReturnType<typeof newTenant>>;
    const byKey = await keyCaller(tenant);
    expect((await byKey.collections.get({ collection: films.id })).id).toBe(numeric.id);
    expect((await byKey.collections.get({ collection: 'Films' })).id).toBe(films.id);
    await expect(byKey.collections.get({ collection: second.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('is found by one statement, which reads no metadata of further ones that bear its name', async () => {
    const { call, workspace, project, principal } = await newTenant(deps);
    const metadata = { fields: [{ name: 'title', type: 'string' as const, required: false }] };
    const films = await call.collections.create({ name: 'Films', projectId: project.id, metadata });
    let found: unknown;
    const find = async () => {
      found = await call.collections.get({ collection: 'Films' });
    };
    // How far its documents are is asked by its id.
    const isLookUp = (text: string) => text.includes('from "collections"') && !text.includes('"waiting"');
    expect((await statementsOf(deps.record, find)).filter(isLookUp)).toHaveLength(1);
    expect(found).toEqual({ ...films, toUpgradeCount: 0 });

    const elsewhere = await call.projects.create({ name: 'Elsewhere', workspaceId: workspace.id });
    const second = await call.collections.create({ name: 'Films', projectId: elsewhere.id, metadata });
    const ctx = { db: deps.record.db, principal };
    const seen = async (reference: string) =>
      (await seeNamed(ctx, [reference], { withMetadata: true })).map((row) => [row.id, row.metadata]);
    expect(await seen('Films')).toEqual([
      [films.id, metadata],
      [second.id, null],
    ]);
    expect(await seen(String(second.id))).toEqual([[second.id, metadata]]);
    // Its name is the other's id.
    await call.collections.update({ collection: second.id, name: String(films.id) });
    expect(await call.collections.get({ collection: films.id })).toMatchObject({ id: films.id, metadata });
  });

  test('a key creates in its own project, and names no other', async () => {
    const tenant = await newTenant(deps);
    const stranger = await newTenant(deps);
    const call = await keyCaller(tenant);
    expect(await call.collections.create({ name: 'By key' })).toMatchObject({
      projectId: tenant.project.id,
    });
    await call.collections.create({ name: 'By key too', projectId: tenant.project.id });
    for (const projectId of [stranger.project.id, 999_999, 0]) {
      await expect(call.collections.create({ name: 'Elsewhere', projectId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: 'Project not found',
      });
    }
    await expect(tenant.call.collections.create({ name: 'Nowhere' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('Please select a project'),
    });
  });

  test('a key limited to collections sees those and cannot make others', async () => {
    const tenant = await newTenant(deps);
    const films = await tenant.call.collections.create({ name: 'Films', projectId: tenant.project.id });
    const books = await tenant.call.collections.create({ name: 'Books', projectId: tenant.project.id });
    const call = await keyCaller(tenant, ['Films']);
    expect((await call.collections.list()).map(({ id }) => id)).toEqual([films.id]);
    for (const collection of ['Books', String(books.id)]) {
      await expect(call.collections.get({ collection })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(call.collections.delete({ collection })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await expect(call.collections.create({ name: 'New' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await tenant.call.collections.update({ collection: films.id, name: 'Movies' });
    expect((await call.collections.get({ collection: 'Movies' })).id).toBe(films.id);
    await tenant.call.collections.delete({ collection: books.id });
    await expect(call.collections.restore({ id: books.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await call.collections.delete({ collection: 'Movies' });
    expect(await call.collections.list()).toEqual([]);
    await call.collections.restore({ id: films.id });
  });

  test('isActive, name and description can be changed', async () => {
    const { call, project } = await newTenant(deps);
    const { id } = await call.collections.create({
      name: 'Films',
      projectId: project.id,
      dimension: 384,
      metric: 'dotproduct',
      metadata: { fields: [{ name: 'year', type: 'number', required: true }] },
    });
    const collection = String(id);
    expect(await call.collections.update({ collection, isActive: false })).toMatchObject({
      isActive: false,
      name: 'Films',
      dimension: 384,
      metric: 'dotproduct',
      metadata: { fields: [{ name: 'year', type: 'number', required: true }] },
    });
    expect(await call.collections.update({ collection, description: 'All of them' })).toMatchObject({
      description: 'All of them',
      isActive: false,
    });
  });

  test('names nobody can bear are not found rather than an error', async () => {
    const { call } = await newTenant(deps);
    for (const collection of [
      '\u0000',
      '\ud800',
      '../..',
      '%00',
      '9'.repeat(16),
      '0',
      '-1',
      'x'.repeat(512),
    ]) {
      await expect(call.collections.get({ collection })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('of repairs at the same moment one begins, and is written down', async () => {
    const { call, project } = await newTenant(deps);
    const { id } = await call.collections.create({ name: 'Films', projectId: project.id });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => call.collections.repair({ collection: id })),
    );
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code));
    expect(codes.toSorted()).toEqual([...Array(7).fill('TOO_MANY_REQUESTS'), 'done']);
    const repaired = and(eq(auditEntries.action, 'collections.repair'), eq(auditEntries.targetId, id));
    expect(await deps.record.db.$count(auditEntries, repaired)).toBe(1);
  });
});
