import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import type { Deps } from '#server/deps.ts';
import { administer } from '#server/testing/databases.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { startKit } from '#server/testing/kit.ts';
import { countLockWaits } from '#server/testing/lock-waits.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { purge } from '../deletion/purge.ts';

describe('workspaces and projects', () => {
  let deps: Deps;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ deps, close } = await startKit());
  });
  afterAll(() => close());

  /** The same server at another time. */
  const at = (clock: () => Date): Deps => ({ ...deps, clock });

  test('slugs follow the name, or the id where the name has nothing to offer', async () => {
    const { call, workspace } = await newTenant(deps);
    const slugOf = async (name: string, slug?: string) =>
      (await call.workspaces.create({ name, ...(slug !== undefined && { slug }) })).slug;
    expect(await slugOf('  Crème & Brûlée — 2 ')).toBe('cr-me-br-l-e-2');
    expect(await slugOf('Anything', 'own-slug')).toBe('own-slug');
    expect(await slugOf('Anything', '')).toBe('anything');
    const unnamed = await call.workspaces.create({ name: '日本語' });
    expect(unnamed.slug).toBe(`workspace-${unnamed.id}`);
    const project = await call.projects.create({ name: '検索', workspaceId: workspace.id });
    expect(project.slug).toBe(`project-${project.id}`);
    expect((await call.projects.get({ id: project.id })).slug).toBe(project.slug);
  });

  test('is left by whoever is not its only owner, and is theirs no more', async () => {
    const { call, principal, workspace } = await newTenant(deps);
    const other = await newTenant(deps);
    const join = (userId: number, role: 'owner' | 'viewer') =>
      deps.record.write((db) => db.insert(members).values({ workspaceId: workspace.id, userId, role }));
    const { id } = workspace;
    await join(other.user.id, 'viewer');
    expect(await call.workspaces.membership({ id })).toEqual({ role: 'owner', members: 2, owners: 1 });
    expect(await other.call.workspaces.membership({ id })).toEqual({ role: 'viewer', members: 2, owners: 1 });
    await expect(call.workspaces.leave({ id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await other.call.workspaces.leave({ id })).toMatchObject({ id });
    await expect(other.call.workspaces.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(other.call.workspaces.leave({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await join(other.user.id, 'owner');
    // Of two owners who leave at once one stays.
    const left = await Promise.allSettled([call, other.call].map((each) => each.workspaces.leave({ id })));
    expect(left.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [stays] = await deps.record.db.select().from(members).where(eq(members.workspaceId, id));
    expect([principal.userId, other.user.id]).toContain(stays?.userId);
  });

  test('entities carry every field, empty ones as null, and updates change only what was sent', async () => {
    const { clock, pass } = fakeClock(new Date());
    const { principal } = await newTenant(deps);
    const call = callAs(at(clock), principal);
    const created = await call.workspaces.create({ name: 'Shop', description: '' });
    expect(created).toEqual({
      id: created.id,
      name: 'Shop',
      description: null,
      slug: 'shop',
      createdAt: clock().toISOString(),
      updatedAt: clock().toISOString(),
    });
    pass(1_000);
    const described = await call.workspaces.update({ id: created.id, description: 'All we sell' });
    expect(described).toEqual({
      ...created,
      description: 'All we sell',
      updatedAt: clock().toISOString(),
    });
    expect(await call.workspaces.update({ id: created.id, name: 'Store' })).toMatchObject({
      name: 'Store',
      description: 'All we sell',
    });
    expect(await call.workspaces.get({ id: created.id })).toMatchObject({ name: 'Store', slug: 'shop' });
    const project = await call.projects.create({ name: 'Films', workspaceId: created.id });
    expect(project).toMatchObject({ description: null, collectionsCount: 0, apiKeysCount: 0 });
    const renamed = await call.projects.update({ id: project.id, name: 'Movies', description: 'old ones' });
    expect(renamed).toMatchObject({ id: project.id, name: 'Movies', description: 'old ones', slug: 'films' });
  });

  test('a project counts what is there', async () => {
    const { call, project } = await newTenant(deps);
    const first = await call.collections.create({ name: 'First', projectId: project.id });
    await call.collections.create({ name: 'Second', projectId: project.id });
    const key = await call.apiKeys.create({ name: 'Key', projectId: project.id });
    const counts = async () => {
      const { collectionsCount, apiKeysCount } = await call.projects.get({ id: project.id });
      return [collectionsCount, apiKeysCount];
    };
    expect(await counts()).toEqual([2, 1]);
    await call.collections.delete({ collection: first.id });
    await call.apiKeys.delete({ id: key.id });
    expect(await counts()).toEqual([1, 0]);
  });

  test('an account owns so many workspaces at most, also when it adds them at once; a deleted one counts no more', async () => {
    const few: Deps = { ...deps, settings: { ...deps.settings, workspacesPerAccount: 3 } };
    const { principal } = await newTenant(few);
    const call = callAs(few, principal);
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) => call.workspaces.create({ name: `Workspace ${i}` })),
    );
    const created = made.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(created).toHaveLength(2);
    const refused = {
      code: 'UNPROCESSABLE_CONTENT',
      message: expect.stringContaining('at most 3 workspaces'),
    };
    for (const outcome of made) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused);
    }
    expect(await call.workspaces.list()).toHaveLength(3);

    const id = created[0]?.id ?? 0;
    await call.workspaces.delete({ id });
    const another = await call.workspaces.create({ name: 'Another' });
    await expect(call.workspaces.restore({ id })).rejects.toMatchObject(refused);
    await call.workspaces.delete({ id: another.id });
    expect((await call.workspaces.restore({ id })).id).toBe(id);
    // Another account is not concerned, and 0 is any number.
    await callAs(few, (await newTenant(few)).principal).workspaces.create({ name: 'Its second' });
    const any: Deps = { ...deps, settings: { ...deps.settings, workspacesPerAccount: 0 } };
    await callAs(any, principal).workspaces.create({ name: 'One more' });
    expect(await call.workspaces.list()).toHaveLength(4);
  });

  test('a workspace counts for the account that has owned it longest, and for nobody who is made an owner of it', async () => {
    const few: Deps = { ...deps, settings: { ...deps.settings, workspacesPerAccount: 2 } };
    const [founder, other] = [await newTenant(few), await newTenant(few)];
    const [asFounder, asOther] = [founder, other].map(({ principal }) => callAs(few, principal));
    if (!asFounder || !asOther) throw new Error('two accounts were made');
    const shared = await asFounder.workspaces.create({ name: 'Shared' });
    const member = { workspaceId: shared.id, userId: other.user.id, role: 'owner' as const };
    await deps.record.write((db) => db.insert(members).values(member));
    await asOther.workspaces.create({ name: 'Own' });
    await asOther.workspaces.delete({ id: shared.id });
    await asFounder.workspaces.create({ name: 'In its place' });
    await expect(asOther.workspaces.restore({ id: shared.id })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
  });

  test('lists are one’s own: all workspaces, or the one that is named', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const stranger = await newTenant(deps);
    const second = await call.workspaces.create({ name: 'Second' });
    const other = await call.projects.create({ name: 'Other', workspaceId: second.id });
    const ids = (list: { id: number }[]) => list.map(({ id }) => id);
    expect(ids(await call.projects.list())).toEqual([project.id, other.id]);
    expect(ids(await call.projects.list({ workspaceId: second.id }))).toEqual([other.id]);
    expect(ids(await call.workspaces.list())).toEqual([workspace.id, second.id]);
    await expect(call.projects.list({ workspaceId: stranger.workspace.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('deleting a workspace hides everything below at once; restoring brings back exactly that', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const kept = await call.collections.create({ name: 'Kept', projectId: project.id });
    const gone = await call.collections.create({ name: 'Gone', projectId: project.id });
    const goneProject = await call.projects.create({ name: 'Gone', workspaceId: workspace.id });
    const inGone = await call.collections.create({ name: 'Inside', projectId: goneProject.id });
    await call.collections.delete({ collection: gone.id });
    await call.projects.delete({ id: goneProject.id });
    const { key } = await call.apiKeys.create({ name: 'Key', projectId: project.id });
    if (key === null) throw new Error('the new key is not readable');

    expect(workspace).toEqual({ ...(await call.workspaces.delete({ id: workspace.id })), role: 'owner' });
    expect(await call.workspaces.list()).toEqual([]);
    expect(await call.projects.list()).toEqual([]);
    expect(await call.collections.list()).toEqual([]);
    await expect(deps.auth.authenticateKey(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    for (const attempt of [
      () => call.workspaces.get({ id: workspace.id }),
      () => call.projects.get({ id: project.id }),
      () => call.collections.get({ collection: kept.id }),
      () => call.projects.create({ name: 'New', workspaceId: workspace.id }),
      () => call.collections.create({ name: 'New', projectId: project.id }),
      () => call.collections.restore({ id: kept.id }),
      () => call.projects.restore({ id: project.id }),
      () => call.workspaces.delete({ id: workspace.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }

    expect(workspace).toEqual({ ...(await call.workspaces.restore({ id: workspace.id })), role: 'owner' });
    expect((await call.projects.list()).map(({ id }) => id)).toEqual([project.id]);
    expect((await call.collections.list()).map(({ id }) => id)).toEqual([kept.id]);
    await deps.auth.authenticateKey(key);
    await call.projects.restore({ id: goneProject.id });
    await call.collections.restore({ id: gone.id });
    const back = (await call.collections.list()).map(({ id }) => id);
    expect(back).toEqual([kept.id, gone.id, inGone.id]);
    await expect(call.workspaces.restore({ id: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('deletions of the same millisecond stay apart', async () => {
    const { clock } = fakeClock(new Date());
    const tenant = await newTenant(deps);
    const call = callAs(at(clock), tenant.principal);
    const before = await call.collections.create({ name: 'Before', projectId: tenant.project.id });
    const after = await call.collections.create({ name: 'After', projectId: tenant.project.id });
    await call.collections.delete({ collection: before.id });
    await call.projects.delete({ id: tenant.project.id });
    await call.projects.restore({ id: tenant.project.id });
    expect((await call.collections.list()).map(({ id }) => id)).toEqual([after.id]);
    await call.projects.delete({ id: tenant.project.id });
    await call.workspaces.delete({ id: tenant.workspace.id });
    await call.workspaces.restore({ id: tenant.workspace.id });
    expect(await call.projects.list()).toEqual([]);
  });

  test('deleting, restoring and changing things of one workspace at the same moment does not end in a deadlock', async () => {
    const { call } = await newTenant(deps);
    for (let round = 0; round < 4; round++) {
      const { id: workspaceId } = await call.workspaces.create({ name: 'Storm' });
      const { id: projectId } = await call.projects.create({ name: 'Storm', workspaceId });
      const named = (name: string) => call.collections.create({ name, projectId, dimension: 4 });
      const made = await Promise.all([named('a'), named('b'), named('c'), named('d')]);
      const settled = await Promise.allSettled(
        made.flatMap(({ id, name }) => [
          call.workspaces.delete({ id: workspaceId }),
          call.projects.delete({ id: projectId }),
          call.collections.delete({ collection: id }),
          call.projects.restore({ id: projectId }),
          call.collections.restore({ id }),
          call.collections.update({ collection: id, description: 'changed' }),
          call.collections.create({ name: `new ${name}`, projectId, dimension: 4 }),
          call.apiKeys.create({ name, projectId }),
        ]),
      );
      const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(new Set(reasons)).toEqual(new Set(['NOT_FOUND']));
      expect(await call.projects.list()).not.toContainEqual(expect.objectContaining({ id: projectId }));
      expect(await call.collections.list()).toEqual([]);
    }
  });

  test('what is purged is gone from the record and cannot be restored; a minute before it can', async () => {
    const { clock, pass } = fakeClock(new Date());
    const later = at(clock);
    const tenant = await newTenant(deps);
    const call = callAs(later, tenant.principal);
    const { purgeAfterMs } = deps.settings;
    const collection = await call.collections.create({ name: 'Films', projectId: tenant.project.id });
    const second = await call.workspaces.create({ name: 'Second' });
    const dropped: number[] = [];
    const run = () =>
      purge({
        record: deps.record,
        clock,
        log: deps.log,
        purgeAfterMs,
        auditKeepDays: 365,
        dropIndex: async (id) => void dropped.push(id),
      });
    await call.workspaces.delete({ id: tenant.workspace.id });
    pass(purgeAfterMs - 1);
    await run();
    await call.workspaces.restore({ id: tenant.workspace.id });
    await call.workspaces.delete({ id: tenant.workspace.id });
    pass(purgeAfterMs + 10_001);
    await expect(call.workspaces.restore({ id: tenant.workspace.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await run();
    expect(dropped).toContain(collection.id);
    const { db } = deps.record;
    expect(await db.$count(workspaces, eq(workspaces.id, tenant.workspace.id))).toBe(0);
    expect(await db.$count(projects, eq(projects.id, tenant.project.id))).toBe(0);
    expect(await db.$count(collections, eq(collections.id, collection.id))).toBe(0);
    expect((await call.workspaces.list()).map(({ id }) => id)).toEqual([second.id]);
  });

  test('when the time of Undo is over nothing is restored, purged or not', async () => {
    const { clock, pass } = fakeClock(new Date());
    const tenant = await newTenant(deps);
    const call = callAs(at(clock), tenant.principal);
    const { id: projectId } = tenant.project;
    const { id } = await call.collections.create({ name: 'Films', projectId });
    const other = await call.projects.create({ name: 'Other', workspaceId: tenant.workspace.id });
    await call.collections.delete({ collection: id });
    await call.projects.delete({ id: other.id });
    pass(deps.settings.purgeAfterMs);
    const notFound = { code: 'NOT_FOUND' };
    await expect(call.collections.restore({ id })).rejects.toMatchObject(notFound);
    await expect(call.projects.restore({ id: other.id })).rejects.toMatchObject(notFound);
    pass(-1);
    await call.collections.restore({ id });
    await call.projects.restore({ id: other.id });
    // What is not deleted cannot be restored either.
    await expect(call.collections.restore({ id })).rejects.toMatchObject(notFound);
  });

  test('a project that is restored while its workspace is being deleted does not come to life in a dead one', async () => {
    const { call, workspace, project } = await newTenant(deps);
    await call.projects.delete({ id: project.id });
    const url = deps.settings.databaseUrl ?? '';
    const byAnother = (text: string) => administer(url, (other) => other.unsafe(text));
    // The deletion has hidden the workspace and has not committed, for as long as the test holds a lock.
    await byAnother(`
      create function wait_for_test() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
      create trigger waits after update on workspaces for each row execute function wait_for_test()`);
    try {
      await administer(url, async (holder) => {
        await holder`select pg_advisory_lock(4711)`;
        const deleting = call.workspaces.delete({ id: workspace.id });
        await expect.poll(() => countLockWaits(url)).toBeGreaterThan(0);
        let restored = 'not yet';
        const restoring = call.projects.restore({ id: project.id }).then(
          () => (restored = 'restored'),
          (error) => (restored = error.code),
        );
        const isDecided = async () => restored !== 'not yet' || (await countLockWaits(url)) >= 2;
        await expect.poll(isDecided).toBe(true);
        await holder`select pg_advisory_unlock(4711)`;
        await deleting;
        expect(await restoring).toBe('NOT_FOUND');
      });
    } finally {
      await byAnother('drop function wait_for_test cascade');
    }
  });

  test('a member without the role is told so; somebody who is no member is not', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const viewer = await newTenant(deps);
    await deps.record.write((db) =>
      db.insert(members).values({ workspaceId: workspace.id, userId: viewer.user.id, role: 'viewer' }),
    );
    expect(await viewer.call.projects.get({ id: project.id })).toMatchObject({ id: project.id });
    const { id } = await call.collections.create({ name: 'Films', projectId: project.id });
    const gone = await call.collections.create({ name: 'Gone', projectId: project.id });
    await call.collections.delete({ collection: String(gone.id) });
    const key = await call.apiKeys.create({ name: 'Key', projectId: project.id });
    const collection = String(id);
    for (const attempt of [
      () => viewer.call.workspaces.update({ id: workspace.id, name: 'Mine' }),
      () => viewer.call.workspaces.delete({ id: workspace.id }),
      () => viewer.call.projects.create({ name: 'Mine', workspaceId: workspace.id }),
      () => viewer.call.projects.delete({ id: project.id }),
      () => viewer.call.collections.create({ name: 'Mine', projectId: project.id }),
      () => viewer.call.collections.update({ collection, name: 'Mine' }),
      () => viewer.call.collections.delete({ collection }),
      () => viewer.call.collections.restore({ id: gone.id }),
      () => viewer.call.documents.write({ collection, document: { id: '1' } }),
      () => viewer.call.documents.delete({ collection, id: '1' }),
      () => viewer.call.apiKeys.create({ name: 'Mine', projectId: project.id }),
      () => viewer.call.apiKeys.delete({ id: key.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await call.workspaces.delete({ id: workspace.id });
    await expect(viewer.call.workspaces.restore({ id: workspace.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
