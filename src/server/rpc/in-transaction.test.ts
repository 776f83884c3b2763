import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '#server/compose.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import type { Deps } from '#server/deps.ts';
import { readSettings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { databases, freshDatabase } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, contextOf, newTenant, originAt, testPassword } from '#server/testing/procedure-caller.ts';
import { signedIn } from '#server/testing/test-auth.ts';
import { createCallerFactory, inTransaction, publicProcedure, router } from './trpc.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('below the storage reserve nothing new is taken; reading, signing in and deleting go on', async () => {
  const database = await freshDatabase('embedded');
  cleanups.push(database.cleanup);
  const now = new Date();
  const start = async (storageReserveBytes: number): Promise<Deps> => {
    const settings = { ...readSettings({}), ...database.settings, storageReserveBytes };
    const parts = await compose({
      settings,
      log: createLog('silent'),
      clock: () => now,
      rootDir: path.resolve('.'),
    });
    cleanups.push(parts.stop);
    return parts.deps;
  };
  const before = await newTenant(await start(0));
  const { workspace, project, user, principal } = before;
  const films = await before.call.collections.create({
    name: 'films',
    projectId: project.id,
    dimension: 384,
  });
  const ref = { collection: films.id };
  for (const id of ['1', '2'])
    await before.call.documents.write({ ...ref, document: { id, title: 'Solaris' } });
  const key = await before.call.apiKeys.create({ name: 'Key', projectId: project.id });
  await cleanups.pop()?.();

  const deps = await start(Number.MAX_SAFE_INTEGER);
  const call = callAs(deps, principal);
  const refused = { code: 'SERVICE_UNAVAILABLE' };
  const input = { email: user.email, password: testPassword };
  const login = async () => signedIn(await deps.auth.login(input, originAt('192.0.2.1'))).session;
  const session = await login();
  const authenticated = await deps.auth.authenticateSession(session.cookieValue);
  expect(authenticated).not.toBeNull();
  // What is written down of it is not all that is left: so often, and no oftener.
  for (let i = 1; i < 4; i += 1) expect(await login()).not.toEqual(session);
  await expect(login()).rejects.toThrow('storage');
  const again = callAs(deps, authenticated?.principal ?? principal);
  await expect(again.sessions.endOthers()).rejects.toMatchObject(refused);
  expect(await again.auth.logout()).toEqual({ ok: true });
  for (const write of [
    () => call.workspaces.create({ name: 'More' }),
    () => call.projects.update({ id: project.id, name: 'Other' }),
    () => call.collections.create({ name: 'more', projectId: project.id }),
    () => call.apiKeys.create({ name: 'More', projectId: project.id }),
    () => call.documents.write({ ...ref, document: { id: '3', title: 'Stalker' } }),
  ]) {
    await expect(write()).rejects.toMatchObject(refused);
  }
  await expect(
    call.workspaces.create({ name: '' }),
    'a fault in the input comes first',
  ).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(JSON.parse(JSON.stringify(await call.documents.get({ ...ref, id: '1' })))).toMatchObject({
    title: 'Solaris',
  });
  // What frees nothing and is written down has a ration of what is left.
  const exportAll = async () => {
    let documents = 0;
    for await (const lines of await call.documents.export(ref))
      documents += Buffer.from(lines).toString().split('\n').length - 1;
    return documents;
  };
  for (let i = 0; i < 4; i += 1) expect(await exportAll()).toBe(2);
  await expect(exportAll()).rejects.toThrow('storage');
  const deleteWhere = (filter_by: string) => call.documents.deleteMany({ ...ref, filter_by });
  await expect(deleteWhere('id:nothing')).rejects.toMatchObject(refused);
  expect(await deleteWhere('id:2')).toEqual({ deleted: 1 });
  await call.documents.delete({ ...ref, id: '1' });
  await call.apiKeys.delete({ id: key.id });
  await call.collections.delete(ref);
  await call.projects.delete({ id: project.id });
  await call.workspaces.delete({ id: workspace.id });
  expect(await call.workspaces.list()).toEqual([]);
});

describe.each(databases)('a procedure that writes, on the %s database', (database) => {
  let kit: Kit;
  let deps: Deps;
  beforeAll(async () => {
    kit = await startKit({ database });
    deps = kit.deps;
  });
  afterAll(() => kit.close());
  beforeEach(() => {
    kit.logLines.length = 0;
  });
  const failedAfterCommit = () => kit.logLines.filter((line) => line.includes('after a commit'));

  test('what fails after the commit is logged, and the caller has what was done', async () => {
    const { call, project } = await newTenant(deps);
    const { id } = await call.collections.create({ name: 'films', projectId: project.id, dimension: 384 });
    // A folder in the place of its snapshot cannot be removed as a file.
    await mkdir(path.join(deps.settings.dataDir, 'indexes', `${id}-0.snapshot`, 'x'), { recursive: true });
    expect(await call.collections.delete({ collection: id })).toMatchObject({ id });
    await expect(call.collections.get({ collection: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(failedAfterCommit()).toHaveLength(1);
  });

  test('what it throws rolls everything back', async () => {
    const { call, project } = await newTenant(deps);
    const { sql } = deps.record;
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no events today'; end $$`;
    await sql`create trigger refuse before insert on events execute function refuse()`;
    cleanups.push(async () => void (await sql`drop function refuse() cascade`));
    await expect(call.projects.update({ id: project.id, name: 'Other' })).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
    });
    await expect(call.projects.delete({ id: project.id })).rejects.toThrow();
    expect(await call.projects.list()).toEqual([project]);
  });

  test('what it throws after a statement that succeeded rolls that back too, and nothing follows', async () => {
    const { call, project, principal } = await newTenant(deps);
    const followed: string[] = [];
    const { rename } = createCallerFactory(
      router({
        rename: publicProcedure.use(inTransaction).mutation(async ({ ctx }) => {
          await ctx.db.update(projects).set({ name: 'Other' });
          ctx.afterCommit(() => void followed.push('a search'));
          throw new AppError('CONFLICT', 'on second thoughts');
        }),
      }),
    )(contextOf(deps, principal));
    await expect(rename()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await call.projects.list()).toEqual([project]);
    expect(followed).toEqual([]);
  });

  test('each piece of work after the commit is done, though one before it throws at once', async () => {
    const { principal } = await newTenant(deps);
    const followed: string[] = [];
    const { write } = createCallerFactory(
      router({
        write: publicProcedure.use(inTransaction).mutation(({ ctx }) => {
          ctx.audit({ workspaceId: null, target: null });
          ctx.afterCommit(() => {
            throw new Error('no folder');
          });
          ctx.afterCommit(async () => void followed.push('second'));
          return 'written';
        }),
      }),
    )(contextOf(deps, principal));
    expect(await write()).toBe('written');
    expect(followed).toEqual(['second']);
    expect(failedAfterCommit()).toHaveLength(1);
  });

  test.each([0, 2])('what tells %i acts for the audit is not committed', async (acts) => {
    const { call, project, principal } = await newTenant(deps);
    const { rename } = createCallerFactory(
      router({
        rename: publicProcedure.use(inTransaction).mutation(async ({ ctx }) => {
          await ctx.db.update(projects).set({ name: 'Other' });
          for (let told = 0; told < acts; told++) ctx.audit({ workspaceId: null, target: null });
        }),
      }),
    )(contextOf(deps, principal));
    await expect(rename()).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    expect(await call.projects.list()).toEqual([project]);
  });
});
