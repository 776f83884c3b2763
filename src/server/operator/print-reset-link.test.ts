import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretBinding } from '#server/auth/second-factor/spend-code.ts';
import { makeTotpSecret } from '#server/auth/second-factor/totp.ts';
import { secondFactors } from '#server/db/schema/accounts.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { call, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { printResetLink } from './print-reset-link.ts';

const password = 'difference engine';

describe.each(['embedded', 'bundled'] as const)('beside a server on the %s database', (database) => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ database });
  });
  afterAll(() => kit.close());

  const run = async (...args: string[]) => {
    const { dataDir, databaseUrl } = kit.deps.settings;
    let printed = '';
    await printResetLink(args, {
      env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', PUBLIC_URL: 'https://search.example.com' },
      print: (text) => {
        printed += text;
      },
    });
    return printed;
  };

  test('a link is printed that sets the password', async () => {
    const { user, as } = await signUp(kit);
    const printed = await run(user.email.toUpperCase());
    const token = /^ {2}https:\/\/search\.example\.com\/reset-password\/([\w-]{43})$/m.exec(printed)?.[1];
    expect(printed).toContain(user.email);
    const checked = await call(kit, { method: 'POST', path: '/api/auth/reset-link', body: { token } });
    expect(checked.body).toMatchObject({ email: user.email });
    const body = { token, password, confirmPassword: password };
    const set = await call(kit, { method: 'POST', path: '/api/auth/reset-password', body, as });
    expect([set.status, set.body]).toEqual([200, { email: user.email }]);
    const cookies = set.headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    expect(cookies.sort()).toEqual(['vectora_device', 'vectora_session']);
    expect((await call(kit, { method: 'GET', path: '/api/auth/me', as })).status).toBe(401);
    const login = { method: 'POST', path: '/api/auth/login', body: { email: user.email, password } };
    expect((await call(kit, login)).status).toBe(200);
    const acts = await kit.deps.record.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, 'auth.issueResetLink'));
    expect(acts).toMatchObject([{ actorKind: 'operator', targetId: user.id }]);
  });

  test('a second factor stays, unless it is to be removed', async () => {
    const { user } = await signUp(kit);
    const { record, secrets, clock } = kit.deps;
    const secret = secrets.seal(makeTotpSecret(), secretBinding(user.id));
    await record.write((tx) =>
      tx.insert(secondFactors).values({ userId: user.id, secret, confirmedAt: clock() }),
    );
    expect(await run(user.email)).not.toContain('second factor');
    expect(await record.db.$count(secondFactors)).toBe(1);
    expect(await run('--remove-second-factor', user.email)).toContain('No second factor');
    expect(await record.db.$count(secondFactors)).toBe(0);
    const acts = await record.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, 'secondFactor.remove'));
    expect(acts).toMatchObject([{ actorKind: 'operator', targetId: user.id }]);
  });

  test('an email that nobody has, and none at all, are told in words', async () => {
    await expect(run('nobody@example.org')).rejects.toThrow('Nobody has an account with the email');
    await expect(run()).rejects.toThrow('npm run reset-password -- <email>');
    await expect(run('a@example.org', 'b@example.org')).rejects.toThrow('npm run reset-password');
  });
});

test('without a server it says what to do', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-nobody-'));
  const run = (env: Record<string, string>) =>
    printResetLink(['ada@example.org'], { env, print: () => expect.fail('printed') });
  try {
    await expect(run({ DATA_DIR: dataDir })).rejects.toThrow(/No server .* Start Vectora first/);
    const nobody = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing' };
    await expect(run(nobody)).rejects.toThrow('The database does not answer');
    await expect(run({ PORT: 'web' })).rejects.toThrow('PORT');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
