import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { call, signUp } from './callers.ts';
import { type Kit, startKit } from './kit.ts';

const tryAs = (kit: Kit, email: string) =>
  call(kit, { method: 'POST', path: '/api/auth/login', body: { email, password: 'not the password' } });

test('tries to sign in that have to wait are one entry of the account, or of one that nobody has', async () => {
  const kit = await startKit({ settings: { loginFreeTries: 1 } });
  try {
    const { user, as } = await signUp(kit);
    const expected: [email: string, statuses: number[]][] = [
      [user.email, [401, 429, 429]],
      ['nobody.at.all@example.com', [401, 429, 429]],
    ];
    for (const [email, statuses] of expected)
      for (const status of statuses) expect((await tryAs(kit, email)).status).toBe(status);
    await kit.deps.denials.flush();
    const { db } = kit.deps.record;
    const entries = await db.select().from(auditEntries).where(eq(auditEntries.action, 'auth.throttle'));
    const own = { actorKind: 'user', actorId: user.id, actorName: user.username };
    const nobodys = { actorKind: 'nobody', actorId: null, actorName: expect.stringMatching(/^[\w-]{16}$/) };
    expect(entries).toEqual(
      [own, nobodys].map((actor) =>
        expect.objectContaining({ ...actor, outcome: 'refused', times: 2, workspaceId: null }),
      ),
    );
    expect(JSON.stringify([entries, kit.logLines])).not.toContain('nobody.');
    const activity = await call<{ action: string; times: number }[]>(kit, {
      method: 'GET',
      path: '/api/account/activity',
      as,
    });
    expect(activity.body).toContainEqual(expect.objectContaining({ action: 'auth.throttle', times: 2 }));
  } finally {
    await kit.close();
  }
});
