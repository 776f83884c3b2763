import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { createKnownCallers } from '#server/auth/known/known-callers.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { limits } from '#shared/limits.ts';
import { purge } from '../deletion/purge.ts';

const refused = { code: 'UNAUTHORIZED', message: 'This API key is not valid' };
const notFound = { code: 'NOT_FOUND', message: 'API key not found' };

const unknownKeysPerAddress = 3;

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** A key of a new tenant, on a clock of its own. */
async function start() {
  const { clock, pass } = fakeClock(new Date());
  const known = createKnownCallers({ ...kit.deps, clock });
  const auth = createAuth({
    ...kit.deps,
    clock,
    known,
    settings: { ...kit.deps.settings, unknownKeysPerAddress },
  });
  const tenant = await newTenant(kit.deps);
  const call = callAs({ ...kit.deps, clock, auth }, tenant.principal);
  const key = await call.apiKeys.create({ name: 'Shop', projectId: tenant.project.id });
  const list = () => call.apiKeys.list({ projectId: tenant.project.id });
  const { record, log, settings } = kit.deps;
  const parts = { record, clock, log, auditKeepDays: 365, dropIndex: async () => undefined };
  const runPurge = () => purge({ ...parts, purgeAfterMs: settings.purgeAfterMs });
  return { ...tenant, auth, call, clock, pass, key, list, runPurge, purgeAfterMs: settings.purgeAfterMs };
}

test('a deleted key is refused and gone from every list at once, and comes back with the same value as it was', async () => {
  const { auth, call, key, list, workspace, project } = await start();
  await auth.authenticateKey(key.key);
  const before = await list();
  await call.apiKeys.delete({ id: key.id });
  await expect(auth.authenticateKey(key.key)).rejects.toMatchObject(refused);
  expect(await list()).toEqual([]);
  expect((await call.projects.get({ id: project.id })).apiKeysCount).toBe(0);
  expect((await call.dashboard.firstSteps({ workspaceId: workspace.id })).hasKey).toBe(false);
  for (const attempt of [
    () => call.apiKeys.reveal({ id: key.id }),
    () => call.apiKeys.rotate({ id: key.id }),
    () => call.apiKeys.update({ id: key.id, isActive: true }),
    () => call.apiKeys.delete({ id: key.id }),
  ])
    await expect(attempt()).rejects.toMatchObject(notFound);
  expect((await call.apiKeys.restore({ id: key.id })).id).toBe(key.id);
  expect(await list()).toEqual(before);
  await auth.authenticateKey(key.key);
  expect((await call.apiKeys.reveal({ id: key.id })).key).toBe(key.key);
  await expect(call.apiKeys.restore({ id: key.id })).rejects.toMatchObject(notFound);
});

test('an application that goes on with a deleted key is no guesser: it is let in again as soon as the key is back', async () => {
  const { auth, call, key } = await start();
  await call.apiKeys.delete({ id: key.id });
  for (let i = 0; i <= unknownKeysPerAddress; i++)
    await expect(auth.authenticateKey(key.key, '192.0.2.7')).rejects.toMatchObject(refused);
  await call.apiKeys.restore({ id: key.id });
  await auth.authenticateKey(key.key, '192.0.2.7');
});

test('both values of a rotated key stop and come back', async () => {
  const { auth, call, key } = await start();
  const rotated = await call.apiKeys.rotate({ id: key.id, graceHours: 1 });
  await call.apiKeys.delete({ id: key.id });
  for (const value of [key.key, rotated.key])
    await expect(auth.authenticateKey(value)).rejects.toMatchObject(refused);
  await call.apiKeys.restore({ id: key.id });
  for (const value of [key.key, rotated.key]) await auth.authenticateKey(value);
});

test('when the time of Undo is over a key stays deleted, and its purge leaves neither row nor secret', async () => {
  const { auth, call, key, pass, runPurge, purgeAfterMs } = await start();
  const rows = () => kit.deps.record.db.select().from(apiKeys).where(eq(apiKeys.id, key.id));
  const [row] = await rows();
  const hash = Buffer.from(row?.hash ?? []).toString('hex');
  expect(await dumpRecord(kit.deps.record)).toContain(hash);
  await call.apiKeys.delete({ id: key.id });
  pass(purgeAfterMs - 1);
  await runPurge();
  await call.apiKeys.restore({ id: key.id });
  await call.apiKeys.delete({ id: key.id });
  pass(purgeAfterMs);
  await expect(call.apiKeys.restore({ id: key.id })).rejects.toMatchObject(notFound);
  pass(10_000);
  await runPurge();
  expect(await rows()).toEqual([]);
  expect(await dumpRecord(kit.deps.record)).not.toContain(hash);
  await expect(auth.authenticateKey(key.key)).rejects.toMatchObject(refused);
  await expect(call.apiKeys.restore({ id: key.id })).rejects.toMatchObject(notFound);
});

test('another tenant can neither delete nor restore it', async () => {
  const { auth, call, key } = await start();
  const stranger = await newTenant(kit.deps);
  await expect(stranger.call.apiKeys.delete({ id: key.id })).rejects.toMatchObject(notFound);
  await call.apiKeys.delete({ id: key.id });
  await expect(stranger.call.apiKeys.restore({ id: key.id })).rejects.toMatchObject(notFound);
  await expect(auth.authenticateKey(key.key)).rejects.toMatchObject(refused);
});

test('a key of a deleted project is not restored; the project brings back the keys that were not deleted', async () => {
  const { auth, call, key, project } = await start();
  const other = await call.apiKeys.create({ name: 'Other', projectId: project.id });
  await call.apiKeys.delete({ id: key.id });
  await call.projects.delete({ id: project.id });
  await expect(call.apiKeys.restore({ id: key.id })).rejects.toMatchObject(notFound);
  await call.projects.restore({ id: project.id });
  await auth.authenticateKey(other.key);
  await expect(auth.authenticateKey(key.key)).rejects.toMatchObject(refused);
  await call.apiKeys.restore({ id: key.id });
  await auth.authenticateKey(key.key);
});

test('of restores at the same moment one is done, and none past the limit of its project', async () => {
  const { call, key, project } = await start();
  await call.apiKeys.delete({ id: key.id });
  const attempts = await Promise.allSettled(
    Array.from({ length: 4 }, () => call.apiKeys.restore({ id: key.id })),
  );
  const codes = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  await call.apiKeys.delete({ id: key.id });
  await kit.deps.record.sql`insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
    select ${project.id}, n::text, decode(md5(${project.id} || '-' || n), 'hex'), '', '', '{}'
    from generate_series(1, ${limits.apiKeysPerProjectMax}::int) n`;
  await expect(call.apiKeys.restore({ id: key.id })).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
});

test('the audit and the recent activity tell both', async () => {
  const { call, key, user, workspace } = await start();
  await call.apiKeys.delete({ id: key.id });
  await call.apiKeys.restore({ id: key.id });
  const entries = await kit.deps.record.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.targetId, key.id))
    .orderBy(auditEntries.id);
  const told = { outcome: 'done', actorId: user.id, workspaceId: workspace.id, targetName: 'Shop' };
  expect(entries.slice(-2)).toMatchObject([
    { ...told, action: 'apiKeys.delete' },
    { ...told, action: 'apiKeys.restore' },
  ]);
  const activity = await call.dashboard.recentActivity({ workspaceId: workspace.id, limit: 2 });
  expect(activity.map(({ type }) => type)).toEqual(['api_key_restored', 'api_key_deleted']);
});
