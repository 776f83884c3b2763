import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invitations } from '#server/db/schema/invitations.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import type { Deps } from '#server/deps.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { limits } from '#shared/limits.ts';
import type { Role } from '#shared/roles.ts';

let kit: Kit;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer();
  kit = await startKit({ settings: { mail: { url: mail.url, from: 'vectora@example.org' } } });
});
afterAll(async () => {
  await kit.close();
  await mail.close();
});

type Tenant = Awaited<ReturnType<typeof newTenant>>;

const join = (workspaceId: number, { user: { id: userId } }: Tenant, role: Role) =>
  kit.deps.record.write((tx) => tx.insert(members).values({ workspaceId, userId, role }));

describe('an invitation', () => {
  test('is told as recent activity by whom it is for, if that is known', async () => {
    const owner = await newTenant(kit.deps);
    const { id: workspaceId } = owner.workspace;
    await owner.call.invitations.create({ workspaceId, role: 'editor' });
    await owner.call.invitations.create({ workspaceId, role: 'viewer', email: 'ada@example.org' });
    const [newest, before] = await owner.call.dashboard.recentActivity({ workspaceId });
    expect(newest?.description).toBe('User "ada@example.org" was invited');
    expect(before?.description).toBe('Somebody was invited by a link');
  });

  test('makes whoever has its link a member, once, and its token is stored nowhere', async () => {
    const owner = await newTenant(kit.deps);
    const { id: workspaceId, name } = owner.workspace;
    const { token, url, ...made } = await owner.call.invitations.create({ workspaceId, role: 'editor' });
    expect(made).toMatchObject({ state: 'open', role: 'editor', email: null, letter: 'off' });
    expect(url).toMatch(new RegExp(`/invitations/${token}$`));
    const [row] = await kit.deps.record.db.select().from(invitations).where(eq(invitations.id, made.id));
    expect(JSON.stringify(row)).not.toContain(token);

    const nobody = callAs(kit.deps, null);
    expect(await nobody.invitations.link({ token })).toMatchObject({
      state: 'open',
      role: 'editor',
      workspace: { id: workspaceId, name },
      invitedBy: owner.user.username,
    });
    await expect(nobody.invitations.accept({ token })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(owner.call.invitations.accept({ token })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You are a member of it already, as owner',
    });

    const [ada, eve] = [await newTenant(kit.deps), await newTenant(kit.deps)];
    const both = await Promise.allSettled([ada, eve].map(({ call }) => call.invitations.accept({ token })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = both.find(({ status }) => status === 'rejected');
    expect(lost).toMatchObject({ reason: { code: 'CONFLICT', message: expect.stringContaining('once') } });
    const winner = both[0]?.status === 'fulfilled' ? ada : eve;
    expect(await winner.call.workspaces.membership({ id: workspaceId })).toMatchObject({ role: 'editor' });
    expect(await nobody.invitations.link({ token })).toMatchObject({
      state: 'accepted',
      workspace: null,
      invitedBy: null,
    });
    expect(await owner.call.invitations.list({ workspaceId })).toEqual([]);
    await expect(nobody.invitations.link({ token: 'made-up' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('with an address is mailed there, is for its account alone, and takes the place of a former one', async () => {
    const owner = await newTenant(kit.deps);
    const workspaceId = owner.workspace.id;
    const ada = await newTenant(kit.deps);
    const email = ada.user.email.toUpperCase();
    const first = await owner.call.invitations.create({ workspaceId, role: 'viewer', email });
    expect(first).toMatchObject({ letter: 'sent', email: ada.user.email });
    const second = await owner.call.invitations.create({ workspaceId, role: 'admin', email });
    const letter = mail.letters.at(-1);
    expect(letter?.to).toEqual([ada.user.email]);
    expect(letter?.text).toContain(second.url);
    expect(await ada.call.invitations.link({ token: first.token })).toMatchObject({ state: 'revoked' });

    const eve = await newTenant(kit.deps);
    await expect(eve.call.invitations.accept({ token: second.token })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(ada.user.email),
    });
    expect(await ada.call.invitations.accept({ token: second.token })).toMatchObject({
      workspace: { id: workspaceId },
      role: 'admin',
    });
    await expect(owner.call.invitations.create({ workspaceId, role: 'viewer', email })).rejects.toMatchObject(
      { code: 'CONFLICT', message: expect.stringContaining('already, as admin') },
    );
  });

  test('stands when its letter cannot be sent, and says so', async () => {
    const owner = await newTenant(kit.deps);
    const mailer = () => Promise.reject(new Error('no server today'));
    const call = callAs({ ...kit.deps, mailer }, owner.principal);
    const workspaceId = owner.workspace.id;
    const made = await call.invitations.create({ workspaceId, role: 'viewer', email: 'new@example.org' });
    expect(made.letter).toBe('failed');
    expect(await call.invitations.list({ workspaceId })).toHaveLength(1);
  });

  test('gives no more than its inviter has, and dies with that', async () => {
    const owner = await newTenant(kit.deps);
    const { id: workspaceId } = owner.workspace;
    const admin = await newTenant(kit.deps);
    await join(workspaceId, admin, 'admin');
    const userId = admin.user.id;
    await expect(admin.call.invitations.create({ workspaceId, role: 'owner' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const { token } = await admin.call.invitations.create({ workspaceId, role: 'admin' });
    const ada = await newTenant(kit.deps);
    await owner.call.members.update({ workspaceId, userId, role: 'editor' });
    await expect(admin.call.invitations.list({ workspaceId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(ada.call.invitations.accept({ token })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('revoked'),
    });
    await owner.call.members.remove({ workspaceId, userId });
    expect(await ada.call.invitations.link({ token })).toMatchObject({ state: 'revoked' });
    expect(await owner.call.invitations.list({ workspaceId })).toMatchObject([
      { state: 'revoked', invitedBy: admin.user.username },
    ]);
  });

  test('ends when it is revoked, after its days, and with its workspace', async () => {
    const { clock, pass } = fakeClock(new Date());
    const deps: Deps = { ...kit.deps, clock };
    const owner = await newTenant(kit.deps);
    const call = callAs(deps, owner.principal);
    const ada = callAs(deps, (await newTenant(kit.deps)).principal);
    const workspaceId = owner.workspace.id;
    const invite = () => call.invitations.create({ workspaceId, role: 'viewer' });
    const revoked = await invite();
    await call.invitations.delete({ id: revoked.id });
    await expect(call.invitations.delete({ id: revoked.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ada.invitations.accept({ token: revoked.token })).rejects.toMatchObject({
      code: 'CONFLICT',
    });

    const old = await invite();
    pass(limits.invitationDays * 24 * 60 * 60_000);
    expect(await ada.invitations.link({ token: old.token })).toMatchObject({ state: 'expired' });
    await expect(ada.invitations.accept({ token: old.token })).rejects.toMatchObject({
      message: expect.stringContaining('older than'),
    });
    expect(await call.invitations.list({ workspaceId })).toMatchObject([{ state: 'expired' }]);

    const open = await invite();
    await call.workspaces.delete({ id: workspaceId });
    await expect(ada.invitations.accept({ token: open.token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is bounded by workspace and by whoever invites', async () => {
    const owner = await newTenant(kit.deps);
    const { id: workspaceId } = owner.workspace;
    const now = new Date();
    const plant = (count: number, invitedBy: number, ended: Date | null) =>
      kit.deps.record.write((tx) =>
        tx.insert(invitations).values(
          Array.from({ length: count }, (_, index) => ({
            workspaceId,
            tokenHash: `${invitedBy}-${index}-${ended === null}`,
            role: 'viewer' as const,
            email: 'somebody@example.org',
            invitedBy,
            expiresAt: new Date(now.getTime() + 60_000),
            revokedAt: ended,
            createdAt: now,
          })),
        ),
      );
    const other = await newTenant(kit.deps);
    await join(workspaceId, other, 'owner');
    await plant(limits.openInvitationsMax, other.user.id, null);
    const invite = (email?: string) =>
      owner.call.invitations.create({ workspaceId, role: 'viewer', ...(email && { email }) });
    await expect(invite()).rejects.toMatchObject({ code: 'UNPROCESSABLE_CONTENT' });
    await kit.deps.record.write((tx) =>
      tx.delete(invitations).where(eq(invitations.invitedBy, other.user.id)),
    );
    await plant(limits.mailedInvitationsPerDayMax, owner.user.id, now);
    await expect(invite('new@example.org')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(await invite()).toMatchObject({ state: 'open' });
  });

  test('counts as one that was mailed also once it is gone with its workspace', async () => {
    const owner = await newTenant(kit.deps);
    const call = callAs({ ...kit.deps, mailer: async () => {} }, owner.principal);
    const invite = async () => {
      const { id: workspaceId } = await call.workspaces.create({ name: 'For a while' });
      const all = Array.from({ length: 10 }, (_, index) => `stranger-${index}@example.net`);
      for (const email of all) await call.invitations.create({ workspaceId, role: 'viewer', email });
      // As the purge does.
      await kit.deps.record.write((tx) => tx.delete(workspaces).where(eq(workspaces.id, workspaceId)));
    };
    for (let i = 0; i < limits.mailedInvitationsPerDayMax / 10; i += 1) await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });

  test('has a letter in which no name takes a line of its own', async () => {
    const owner = await newTenant(kit.deps, {
      firstName: 'Vectora\r\n\nYour account is closed.\u2028Write to',
    });
    const workspaceId = owner.workspace.id;
    await owner.call.invitations.create({ workspaceId, role: 'viewer', email: 'lines@example.org' });
    const lines = mail.letters.at(-1)?.text.split(/[\n\u2028]/) ?? [];
    expect(lines.filter((line) => /^Your account|^Write to/.test(line))).toEqual([]);
    expect(lines.find((line) => line.includes('invites you'))).toContain('Your account is closed. Write to');
  });
});
