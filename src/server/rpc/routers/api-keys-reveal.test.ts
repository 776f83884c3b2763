import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { call, createKey, createProject, type SignedUp, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ApiKey, Permission } from '#shared/api-keys.ts';
import { type Role, roles } from '#shared/roles.ts';

/** Who gets to see a whole key, and by what call. */
describe('a whole key', () => {
  let kit: Kit;
  let owner: SignedUp;
  let projectId: number;
  const people = new Map<Role, SignedUp>();
  beforeAll(async () => {
    kit = await startKit();
    owner = await signUp(kit);
    projectId = (await createProject(kit, owner)).id;
    for (const role of roles) {
      const person = await signUp(kit);
      const member = { workspaceId: owner.workspace.id, userId: person.user.id, role };
      await kit.deps.record.write((db) => db.insert(members).values(member));
      people.set(role, person);
    }
  });
  afterAll(() => kit.close());

  const as = (role: Role) => people.get(role)?.as ?? null;
  const overRest = (id: number, role: Role) =>
    call<ApiKey>(kit, { method: 'POST', path: `/api/api-keys/${id}/reveal`, as: as(role) });
  const overTrpc = async (id: number, role: Role) => {
    const path = '/trpc/apiKeys.reveal';
    const answer = await call<{ result?: { data: ApiKey } }>(kit, {
      method: 'POST',
      path,
      body: { id },
      as: as(role),
    });
    return { ...answer, body: answer.body.result?.data };
  };
  const entriesOf = (id: number) =>
    kit.deps.record.db.select().from(auditEntries).where(eq(auditEntries.targetId, id));

  test('is in no answer but those of create, rotate and reveal, over REST and over tRPC', async () => {
    const key = await createKey(kit, owner, { projectId });
    const masked = `${'•'.repeat(32)}${key.key.slice(-4)}`;
    const trpc = (name: string, body: unknown) => ({ method: 'POST', path: `/trpc/apiKeys.${name}`, body });
    const list = encodeURIComponent(JSON.stringify({ projectId }));
    for (const request of [
      { method: 'GET', path: `/api/api-keys?projectId=${projectId}` },
      { method: 'GET', path: `/trpc/apiKeys.list?input=${list}` },
      { method: 'PUT', path: `/api/api-keys/${key.id}`, body: { name: 'Renamed' } },
      trpc('update', { id: key.id, name: 'Again' }),
      { method: 'DELETE', path: `/api/api-keys/${key.id}` },
    ]) {
      const { status, body } = await call<unknown>(kit, { ...request, as: owner.as });
      expect(status, request.path).toBe(200);
      const text = JSON.stringify(body);
      expect(text, request.path).toContain(masked);
      expect(text, request.path).not.toContain(key.key.slice(3, 27));
    }
    const other = await createKey(kit, owner, { projectId });
    const rotate = { method: 'POST', path: `/api/api-keys/${other.id}/rotate`, body: {} };
    const rotated = await call<ApiKey>(kit, { ...rotate, as: owner.as });
    expect(rotated.status).toBe(200);
    expect(JSON.stringify(rotated.body)).not.toContain(other.key.slice(3, 27));
    const deleted = await call<unknown>(kit, { ...trpc('delete', { id: other.id }), as: owner.as });
    expect(deleted.status).toBe(200);
    for (const { key: whole } of [other, rotated.body])
      expect(JSON.stringify(deleted.body)).not.toContain(whole.slice(3, 27));
  });

  const table: [Role, Permission[], number][] = [
    ['viewer', ['read'], 200],
    ['viewer', ['write'], 403],
    ['viewer', ['read', 'write'], 403],
    ['editor', ['write'], 200],
    ['editor', ['read', 'write'], 200],
    ['admin', ['read', 'write'], 200],
    ['owner', ['read', 'write'], 200],
  ];
  test.each(table)(
    'a %s who asks for a key that may %j is answered %i',
    async (role, permissions, status) => {
      const key = await createKey(kit, owner, { projectId, permissions });
      for (const ask of [overRest, overTrpc]) {
        const answer = await ask(key.id, role);
        expect(answer.status).toBe(status);
        if (status === 200) expect(answer.body).toEqual(key);
        else expect(JSON.stringify(answer.body) ?? '').not.toContain(key.key.slice(3, 27));
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
      const reveals = (await entriesOf(key.id)).filter(({ action }) => action === 'apiKeys.reveal');
      const done = reveals.filter(({ outcome }) => outcome === 'done');
      expect(done).toHaveLength(status === 200 ? 2 : 0);
      for (const entry of done) {
        const { user } = people.get(role) ?? owner;
        expect(entry).toMatchObject({ actorId: user.id, workspaceId: owner.workspace.id, targetName: 'key' });
        expect(JSON.stringify(entry)).not.toContain(key.key.slice(3, 27));
        const line = kit.logLines.find((text) => text.includes(entry.requestId ?? 'none'));
        expect(JSON.parse(line ?? '{}')).toMatchObject({
          message: 'act',
          action: 'apiKeys.reveal',
          actor: `user ${user.id}`,
          target: `api_key ${key.id}`,
        });
      }
      expect(kit.logLines.join('')).not.toContain(key.key.slice(3, 27));
    },
  );

  test('is not shown to a key, whatever it may do', async () => {
    const key = await createKey(kit, owner, { projectId });
    const path = `/api/api-keys/${key.id}/reveal`;
    expect((await call(kit, { method: 'POST', path, as: { key: key.key } })).status).toBe(403);
    expect((await call(kit, { method: 'POST', path })).status).toBe(401);
    const headers = { cookie: owner.as.cookie, origin: 'https://elsewhere.example' };
    expect((await call(kit, { method: 'POST', path, headers })).status).toBe(403);
  });
});
