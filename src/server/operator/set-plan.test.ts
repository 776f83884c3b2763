import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { call, createKey, createProject, must, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { AuditEntry } from '#shared/audit-entries.ts';
import type { Usage } from '#shared/usage.ts';
import { runSetPlan } from './set-plan.ts';

describe('another plan for a workspace', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ settings: { quotas: true } });
  });
  afterAll(() => kit.close());

  const run = async (args: string[], { quotas = 'true' } = {}) => {
    const { dataDir, databaseUrl } = kit.deps.settings;
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', QUOTAS: quotas };
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    await runSetPlan(args, { env, print });
    return printed;
  };

  async function tenant() {
    const owner = await signUp(kit);
    const project = await createProject(kit, owner);
    const { key } = await createKey(kit, owner, { projectId: project.id });
    return { ...owner, id: owner.workspace.id, key: { key } };
  }

  const planOf = async (id: number) => {
    const [row] = await kit.deps.record.db.select().from(workspaces).where(eq(workspaces.id, id));
    return row?.plan;
  };
  const actsOn = (workspaceId: number) =>
    kit.deps.record.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.workspaceId, workspaceId), eq(auditEntries.action, 'workspaces.setPlan')));

  test('by the email of its owner: what it gives is told, and counts on a server that runs', async () => {
    const { user, as, id, key } = await tenant();
    const usage = () => must(call<Usage>(kit, { method: 'GET', path: '/api/usage', as: key }));
    const list = () => call(kit, { method: 'GET', path: '/api/collections', as: key });
    await kit.deps.record.write((db) =>
      db.execute(`insert into monthly_requests
        values (${id}, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC', 10000)
        on conflict (workspace_id, month) do update set requests = 10000`),
    );
    // Another server has counted these; this one learns of them as of a plan.
    await run([user.email, 'starter']);
    await run([user.email, 'free']);
    await expect.poll(async () => (await list()).status).toBe(429);

    const printed = await run([user.email.toUpperCase(), 'starter']);
    expect(printed).toContain(`Workspace ${id}, `);
    expect(printed).toContain('has the plan starter now, before free.');
    expect(printed).toContain('  collections: 25, before 5; uses 0\n');
    expect(printed).toContain('  keys: 25, before 5; uses 1\n');
    expect(printed).toContain('  requests a month: 100000, before 10000\n');
    await expect.poll(async () => (await list()).status).toBe(200);
    expect((await usage()).quotas.collections).toMatchObject({ used: 0, limit: 25 });
    const { body } = await call<AuditEntry[]>(kit, {
      method: 'GET',
      path: `/api/audit-entries?workspaceId=${id}&action=workspaces.setPlan`,
      as,
    });
    expect(body[0]).toMatchObject({
      actor: { kind: 'operator', id: null },
      target: { kind: 'workspace', id },
      before: { plan: 'free' },
      after: { plan: 'starter' },
    });
  });

  test('by its id, and by nothing else where its owner has several', async () => {
    const { user, as, id } = await tenant();
    const second = await must(
      call<{ id: number }>(kit, { method: 'POST', path: '/api/workspaces', body: { name: 'Second' }, as }),
    );
    const listed = run([user.email, 'starter']);
    await expect(listed).rejects.toThrow(`owns several workspaces: say which, by its id\n  ${id}  `);
    await expect(listed).rejects.toThrow(`  ${second.id}  "Second", free`);
    expect(await run([String(second.id), 'enterprise'])).toContain('documents: any number, before 10000');
    expect([await planOf(id), await planOf(second.id)]).toEqual(['free', 'enterprise']);
    await must(call(kit, { method: 'DELETE', path: `/api/workspaces/${id}`, as }));
    await expect(run([String(id), 'starter'])).rejects.toThrow(`No workspace has the id ${id}`);
    expect(await run([user.email, 'professional'])).toContain(`Workspace ${second.id}`);
  });

  test('what is used up is said; the plan that it has already is no act', async () => {
    const { id, as } = await tenant();
    const projects = await call<{ id: number }[]>(kit, {
      method: 'GET',
      path: `/api/projects?workspaceId=${id}`,
      as,
    });
    const projectId = projects.body[0]?.id;
    for (let i = 1; i < 5; i += 1) {
      const body = { name: `key ${i}`, projectId };
      await must(call(kit, { method: 'POST', path: '/api/api-keys', body, as }));
    }
    const printed = await run([String(id), 'free']);
    expect(printed).toContain('has the plan free already.');
    expect(printed).toContain('  keys: 5; uses 5, so that none can be added\n');
    expect(printed).not.toContain('QUOTAS');
    expect(await actsOn(id)).toEqual([]);
    expect(await run([String(id), 'free'], { quotas: 'false' })).toContain('nothing is limited');
  });

  test('a plan whose entry cannot be written is not given', async () => {
    const { id } = await tenant();
    const { sql } = kit.deps.record;
    await sql`alter table audit_entries add constraint no_plans check (action <> 'workspaces.setPlan') not valid`;
    await expect(run([String(id), 'starter'])).rejects.toThrow();
    await sql`alter table audit_entries drop constraint no_plans`;
    expect([await planOf(id), await actsOn(id)]).toEqual(['free', []]);
  });

  test('who owns nothing, no such plan, and too little said are told in words', async () => {
    await expect(run(['nobody@example.org', 'free'])).rejects.toThrow('Nobody with the email nobody@example');
    await expect(run(['999999999', 'free'])).rejects.toThrow('No workspace has the id 999999999');
    for (const args of [[], ['7'], ['7', 'gold'], ['7', 'free', '8'], ['--help', 'free']])
      await expect(run(args)).rejects.toThrow('npm run set-plan -- <workspace id');
  });
});
