import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { members } from '#server/db/schema/workspaces.ts';
import { call, createKey, createProject, must, type SignedUp, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { AuditEntry } from '#shared/audit-entries.ts';
import { limits } from '#shared/limits.ts';
import type { Project } from '#shared/projects.ts';

describe('the audit of a workspace', () => {
  let kit: Kit;
  let owner: SignedUp;
  let admin: SignedUp;
  let project: Project;
  const start = new Date('2026-03-01T12:00:00.000Z').getTime();
  let minutes = 0;
  const minute = (n: number) => new Date(start + n * 60_000);
  beforeAll(async () => {
    kit = await startKit({ clock: () => minute(minutes) });
    owner = await signUp(kit);
    admin = await signUp(kit);
    const member = { workspaceId: owner.workspace.id, userId: admin.user.id, role: 'admin' as const };
    await kit.deps.record.write((db) => db.insert(members).values(member));
    project = await createProject(kit, owner, 'Shop');
    minutes = 1;
    await createKey(kit, owner, { projectId: project.id });
    minutes = 2;
    await createKey(kit, admin, { projectId: project.id });
    minutes = 3;
    const body = { name: 'Renamed' };
    await call(kit, { method: 'PUT', path: `/api/projects/${project.id}`, body, as: admin.as });
  });
  afterAll(() => kit.close());

  const list = (query = '', as: SignedUp['as'] | null = owner.as, workspaceId = owner.workspace.id) =>
    call<AuditEntry[]>(kit, {
      method: 'GET',
      path: `/api/audit-entries?workspaceId=${workspaceId}${query}`,
      as,
    });
  const total = async (chosen: object) => {
    const body = { workspaceId: owner.workspace.id, ...chosen };
    const path = `/trpc/auditEntries.total?input=${encodeURIComponent(JSON.stringify(body))}`;
    const answer = call<{ result: { data: object } }>(kit, { method: 'GET', path, as: owner.as });
    return (await must(answer)).result.data;
  };
  const actionsOf = async (query: string) => (await list(query)).body.map(({ action }) => action);

  test('is told newest first, with who, when and what', async () => {
    const { status, body, headers } = await list();
    expect(status).toBe(200);
    expect(headers.get('x-total-count')).toBe('4');
    const actions = ['projects.update', 'apiKeys.create', 'apiKeys.create', 'projects.create'];
    expect(body.map(({ action }) => action)).toEqual(actions);
    expect(body[0]).toEqual({
      id: expect.any(Number),
      createdAt: minute(3).toISOString(),
      action: 'projects.update',
      outcome: 'done',
      times: 1,
      actor: { kind: 'user', id: admin.user.id, name: admin.user.username },
      workspaceId: owner.workspace.id,
      target: { kind: 'project', id: project.id, name: 'Renamed' },
      before: { name: 'Shop' },
      after: { name: 'Renamed' },
      address: 'unknown',
      userAgent: null,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('can be counted', async () => {
    expect(await total({})).toEqual({ total: 4, isMore: false });
    expect(await total({ actorId: admin.user.id })).toEqual({ total: 2, isMore: false });
    expect(await total({ outcome: 'refused' })).toEqual({ total: 0, isMore: false });
  });

  test('can be narrowed and paged', async () => {
    expect(await actionsOf('&action=projects.create')).toEqual(['projects.create']);
    expect(await actionsOf(`&actorId=${admin.user.id}`)).toEqual(['projects.update', 'apiKeys.create']);
    expect(await actionsOf('&actorKind=key')).toEqual([]);
    expect(await actionsOf('&outcome=refused')).toEqual([]);
    const between = `&since=${minute(1).toISOString()}&until=${minute(3).toISOString()}`;
    expect(await actionsOf(between)).toEqual(['apiKeys.create', 'apiKeys.create']);
    const page = await list('&page=2&per_page=3');
    expect(page.body.map(({ action }) => action)).toEqual(['projects.create']);
    expect(page.headers.get('x-total-count')).toBe('4');
    for (const wrong of ['&since=yesterday', '&action=a%20b', '&actorKind=robot', '&page=0']) {
      expect((await list(wrong)).status, wrong).toBe(400);
    }
  });

  test('is looked through for what is rare as far as it is paged, and further back from a moment on', async () => {
    const { workspace, as } = await signUp(kit);
    const entries = limits.pagedRowsMax + 5;
    await kit.deps.record.sql`
      insert into audit_entries (created_at, action, outcome, times, actor_kind, workspace_id)
      select ${minute(0).toISOString()}::timestamptz + n * interval '1 second',
        case when n in (2, ${entries}::int - 1) then 'rare' else 'frequent' end, 'done', 1, 'nobody', ${workspace.id}
      from generate_series(1, ${entries}::int) n`;
    const rare = async (query: string) => {
      const { body, headers } = await list(`&action=rare${query}`, as, workspace.id);
      return [body.length, headers.get('x-total-count')];
    };
    expect(await rare('')).toEqual([1, '1+']);
    expect(await rare(`&until=${minute(60).toISOString()}`)).toEqual([1, '1']);
    expect(await rare(`&since=${minute(60).toISOString()}`)).toEqual([1, '1']);
    const texts = await statementsOf(kit.deps.record, () => rare(''));
    const walks = texts.join(';').match(/order by "audit_entries"."created_at" desc[^);]* offset/g);
    expect(walks).toHaveLength(1);
    const all = await list('', as, workspace.id);
    expect(all.headers.get('x-total-count')).toBe(`${limits.countedRowsMax}+`);
  });

  test('is the owner’s to read, and nobody else’s; who tried is in it', async () => {
    const stranger = await signUp(kit);
    expect((await list('', admin.as)).status).toBe(403);
    expect((await list('', stranger.as)).status).toBe(404);
    expect((await list('', null)).status).toBe(401);
    expect((await list('', stranger.as, stranger.workspace.id)).body).toEqual([]);
    await kit.deps.denials.flush();
    const actor = { kind: 'user', id: admin.user.id, name: admin.user.username };
    expect((await list('&outcome=refused')).body).toMatchObject([
      { action: 'auditEntries.list', actor, times: 1, workspaceId: owner.workspace.id },
    ]);
  });
});
