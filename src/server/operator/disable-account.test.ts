import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { type Credentials, call, createKey, createProject, signUp } from '#server/testing/callers.ts';
import { administer } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { countLockWaits } from '#server/testing/lock-waits.ts';
import { runDisableAccount } from './disable-account.ts';
import { printResetLink } from './print-reset-link.ts';

const password = 'correct horse battery staple';

describe('disabling an account', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  const env = () => {
    const { dataDir, databaseUrl } = kit.deps.settings;
    return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' };
  };
  const run = async (...args: string[]) => {
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    await runDisableAccount(args, { env: env(), print });
    return printed;
  };
  const statusOf = async (as: Credentials) =>
    (await call(kit, { method: 'GET', path: '/api/collections', as })).status;
  /** What another process has changed is heard of a moment later. */
  const expectSoon = (as: Credentials) => expect.poll(() => statusOf(as));
  const login = (email: string, given = password) =>
    call<{ message: string }>(kit, {
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password: given },
    });

  test('ends its sessions, lets it in no more and says no more than to a stranger, until it is enabled', async () => {
    const { user, as } = await signUp(kit);
    const link = { env: env(), print: () => undefined };
    await printResetLink([user.email], link);
    expect(await statusOf(as)).toBe(200);
    expect(await run(user.email.toUpperCase())).toContain('Sessions that have ended: 1.');
    await expectSoon(as).toBe(401);
    const [refused, wrong] = [await login(user.email), await login(user.email, 'wrong')];
    expect([refused.status, refused.body.message]).toEqual([401, wrong.body.message]);
    await expect(printResetLink([user.email], link)).rejects.toThrow('or it is disabled');

    expect(await run(user.email, '--enable')).toContain('is enabled');
    expect((await login(user.email)).status).toBe(200);
    expect(await statusOf(as)).toBe(401);
    const acts = await kit.deps.record.db
      .select()
      .from(auditEntries)
      .where(inArray(auditEntries.action, ['auth.disableAccount', 'auth.enableAccount']))
      .orderBy(auditEntries.id);
    expect(acts).toMatchObject([
      { action: 'auth.disableAccount', actorKind: 'operator', targetId: user.id, after: { ended: 1 } },
      { action: 'auth.enableAccount', actorKind: 'operator', targetId: user.id },
    ]);
  });

  test('revokes the keys of workspaces that nobody else is in, and no others', async () => {
    const [owner, guest] = [await signUp(kit), await signUp(kit)];
    const ownProject = await createProject(kit, owner);
    const own = await createKey(kit, owner, { projectId: ownProject.id });
    const sharedProject = await createProject(kit, guest);
    const shared = await createKey(kit, guest, { projectId: sharedProject.id });
    const joined = { workspaceId: guest.workspace.id, userId: owner.user.id, role: 'editor' } as const;
    await kit.deps.record.write((tx) => tx.insert(members).values(joined));
    for (const { key } of [own, shared]) expect(await statusOf({ key })).toBe(200);

    const printed = await run(owner.user.email);
    expect(printed).toMatch(/revoked: 1\.\n.*: 1\./);
    await expectSoon({ key: own.key }).toBe(401);
    expect(await statusOf({ key: shared.key })).toBe(200);

    // The one who is left in the shared workspace is disabled too.
    await run(guest.user.email);
    await expectSoon({ key: shared.key }).toBe(401);
    await run(owner.user.email, '--enable');
    expect(await statusOf({ key: own.key })).toBe(401);
  });

  test('no session begins for a sign-in that it overtakes', async () => {
    const { user } = await signUp(kit);
    const url = kit.deps.settings.databaseUrl ?? '';
    const signingIn = await administer(url, async (other) => {
      await other`begin`;
      await other`update users set disabled_at = now() where id = ${user.id}`;
      const attempt = login(user.email);
      // Its password was right, and it waits for the account's row.
      await expect.poll(() => countLockWaits(url)).toBeGreaterThan(0);
      await other`commit`;
      return { attempt };
    });
    const { status, headers } = await signingIn.attempt;
    expect([status, headers.getSetCookie()]).toEqual([401, []]);
  });

  test('an email that nobody has, and none at all, are told in words', async () => {
    await expect(run('nobody@example.org')).rejects.toThrow('Nobody has an account with the email');
    for (const args of [[], ['--enable'], ['a@example.org', 'b@example.org'], ['--help']])
      await expect(run(...args)).rejects.toThrow('npm run disable-account -- <email>');
  });
});
