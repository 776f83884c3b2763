import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { users } from '#server/db/schema/accounts.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { members } from '#server/db/schema/workspaces.ts';
import type { Told } from '#server/live/listener.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { newTenant } from '#server/testing/procedure-caller.ts';
import type { Role } from '#shared/roles.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

type Tenant = Awaited<ReturnType<typeof newTenant>>;

/** A workspace with its owner and one member in each of these roles. */
async function team<const Roles extends Role[]>(...roles: Roles) {
  const owner = await newTenant(kit.deps);
  const workspaceId = owner.workspace.id;
  const others: Tenant[] = [];
  for (const role of roles) {
    const other = await newTenant(kit.deps);
    await kit.deps.record.write((tx) =>
      tx.insert(members).values({ workspaceId, userId: other.user.id, role }),
    );
    others.push(other);
  }
  return { owner, workspaceId, others: others as { [Index in keyof Roles]: Tenant } };
}

async function rolesIn(workspaceId: number): Promise<[number, Role][]> {
  const rows = await kit.deps.record.db.select().from(members).where(eq(members.workspaceId, workspaceId));
  return rows.map(({ userId, role }) => [userId, role]);
}

describe('members of a workspace', () => {
  test('are seen by each of them, and by nobody else', async () => {
    const { owner, workspaceId, others } = await team('viewer');
    const [viewer] = others;
    const shown = await viewer.call.members.list({ workspaceId });
    expect(shown.map(({ id, role }) => [id, role])).toEqual([
      [owner.user.id, 'owner'],
      [viewer.user.id, 'viewer'],
    ]);
    expect(shown[1]).toMatchObject({ username: viewer.user.username, email: viewer.user.email });
    const stranger = await newTenant(kit.deps);
    await expect(stranger.call.members.list({ workspaceId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await viewer.call.workspaces.list()).toContainEqual(
      expect.objectContaining({ id: workspaceId, role: 'viewer' }),
    );
  });

  test('are given roles by admins, and made owners by owners alone', async () => {
    const { owner, workspaceId, others } = await team('admin', 'editor', 'viewer');
    const [admin, editor, viewer] = others;
    const give = (by: Tenant, { user: { id: userId } }: Tenant, role: Role) =>
      by.call.members.update({ workspaceId, userId, role });
    const refused = { code: 'FORBIDDEN', message: expect.stringMatching(/"(admin|owner)"; yours is/) };
    expect(await give(admin, viewer, 'editor')).toMatchObject({ id: viewer.user.id, role: 'editor' });
    await expect(give(editor, viewer, 'viewer')).rejects.toMatchObject(refused);
    await expect(give(admin, viewer, 'owner')).rejects.toMatchObject(refused);
    await expect(give(admin, admin, 'owner')).rejects.toMatchObject(refused);
    await expect(give(admin, owner, 'viewer')).rejects.toMatchObject(refused);
    await expect(admin.call.members.remove({ workspaceId, userId: owner.user.id })).rejects.toMatchObject(
      refused,
    );
    expect(await give(owner, admin, 'owner')).toMatchObject({ role: 'owner' });
    const [entry] = await kit.deps.record.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.workspaceId, workspaceId), eq(auditEntries.action, 'members.update')))
      .orderBy(auditEntries.id);
    expect(entry).toMatchObject({
      actorId: admin.user.id,
      targetKind: 'account',
      targetId: viewer.user.id,
      targetName: viewer.user.username,
      before: { role: 'viewer' },
      after: { role: 'editor' },
    });
    const stranger = await newTenant(kit.deps);
    await expect(give(owner, stranger, 'viewer')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Member not found',
    });
  });

  test('always have an owner among them who can sign in', async () => {
    const { owner, workspaceId, others } = await team('admin');
    const [admin] = others;
    const userId = owner.user.id;
    const last = { code: 'CONFLICT', message: expect.stringContaining('needs an owner') };
    const demote = () => owner.call.members.update({ workspaceId, userId, role: 'admin' });
    await expect(demote()).rejects.toMatchObject(last);
    await expect(owner.call.members.remove({ workspaceId, userId })).rejects.toMatchObject(last);
    await owner.call.members.update({ workspaceId, userId: admin.user.id, role: 'owner' });
    const disable = (disabledAt: Date | null) =>
      kit.deps.record.write((tx) => tx.update(users).set({ disabledAt }).where(eq(users.id, admin.user.id)));
    await disable(new Date());
    await expect(demote()).rejects.toMatchObject(last);
    await disable(null);
    // Both at once make the other one something else: one of them stays.
    const both = await Promise.allSettled([
      owner.call.members.update({ workspaceId, userId: admin.user.id, role: 'viewer' }),
      admin.call.members.update({ workspaceId, userId, role: 'viewer' }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const roles = (await rolesIn(workspaceId)).map(([, role]) => role);
    expect(roles.toSorted()).toEqual(['owner', 'viewer']);
  });

  test('an owner is charged from when it became one, not from when it came', async () => {
    const { owner, workspaceId, others } = await team('viewer', 'owner');
    const [early] = others;
    await owner.call.members.update({ workspaceId, userId: early.user.id, role: 'owner' });
    const rows = await kit.deps.record.db.select().from(members).where(eq(members.workspaceId, workspaceId));
    const since = (tenant: Tenant | undefined) =>
      rows.find(({ userId }) => userId === tenant?.user.id)?.roleSince.getTime() ?? 0;
    expect(since(early)).toBeGreaterThan(since(others[1]));
  });

  test('who is removed loses it at once, and hears no more of it', async () => {
    const { owner, workspaceId, others } = await team('editor');
    const [editor] = others;
    const { id } = await owner.call.collections.create({ name: 'Films', projectId: owner.project.id });
    const collection = String(id);
    await editor.call.documents.write({ collection, document: { id: '1', title: 'Metropolis' } });
    expect(await editor.call.search.keyword({ collection, query: 'metropolis' })).toMatchObject({ found: 1 });
    const told: Told[] = [];
    const { userId, sessionId } = editor.principal;
    const { begun, close } = kit.deps.live.listen({ userId, sessionId }, [], {
      tell: (one) => void told.push(one),
      end: () => undefined,
    });
    await begun;

    await owner.call.members.remove({ workspaceId, userId });
    const refused = await Promise.allSettled([
      editor.call.search.keyword({ collection, query: 'metropolis' }),
      editor.call.documents.write({ collection, document: { id: '2' } }),
      editor.call.workspaces.get({ id: workspaceId }),
    ]);
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    // What it made stays.
    expect(await owner.call.search.keyword({ collection, query: 'metropolis' })).toMatchObject({ found: 1 });

    await expect.poll(() => told.map(({ kind }) => kind)).toContain('reset');
    const before = told.length;
    await owner.call.projects.create({ name: 'Secret', workspaceId });
    await editor.call.projects.create({ name: 'Own', workspaceId: editor.workspace.id });
    const changes = () => told.slice(before).flatMap((one) => (one.kind === 'change' ? [one.change] : []));
    await expect
      .poll(changes)
      .toContainEqual(expect.objectContaining({ noun: 'projects', workspaceId: editor.workspace.id }));
    expect(changes().filter((change) => change.workspaceId === workspaceId)).toEqual([]);
    close();
  });
});
