import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { createKnownCallers } from '#server/auth/known/known-callers.ts';
import type { Deps } from '#server/deps.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';

const dayMs = 24 * 60 * 60_000;

/** Every table answers a write as Postgres does when its disk is full. */
async function refuseWrites({ record: { sql } }: Deps): Promise<void> {
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise 'could not extend file' using errcode = '53100'; end $$`;
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    await sql`create trigger refuse before insert or update or delete on ${sql(name)} execute function refuse()`;
  }
}

describe('a record that takes no writes', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  test('reads go on, and know what is not written yet', async () => {
    const { deps } = kit;
    const { call: before, cookieValue, project, workspace } = await newTenant(deps);
    const films = await before.collections.create({ name: 'films', projectId: project.id, dimension: 384 });
    const ref = { collection: films.id };
    await before.documents.write({ ...ref, document: { id: '1', title: 'Solaris' } });
    const { id: keyId, key } = await before.apiKeys.create({ name: 'Key', projectId: project.id });
    await refuseWrites(deps);

    // Four days later the session is due to be renewed.
    const { clock } = fakeClock(new Date(Date.now() + 4 * dayMs));
    const auth = createAuth({ ...deps, clock, known: createKnownCallers({ ...deps, clock }) });
    const session = await auth.authenticateSession(cookieValue);
    if (!session) throw new Error('the session was refused');
    const caller = await auth.authenticateKey(key ?? '');
    const call = callAs({ ...deps, auth, clock }, session.principal);
    deps.telemetry.countRequest({ workspaceId: workspace.id, projectId: project.id });
    deps.telemetry.countRequest({ workspaceId: workspace.id, projectId: null });

    expect(JSON.parse(JSON.stringify(await call.documents.get({ ...ref, id: '1' })))).toMatchObject({
      title: 'Solaris',
    });
    expect(await callAs(deps, caller).search.keyword({ ...ref, query: 'solaris' })).toMatchObject({
      found: 1,
    });
    expect(await call.projects.list()).toHaveLength(1);
    expect(await call.apiKeys.list({ projectId: project.id })).toMatchObject([
      { id: keyId, lastUsed: clock().toISOString() },
    ]);
    const now = callAs(deps, session.principal);
    expect(await now.dashboard.stats()).toMatchObject({ totalDocuments: 1, apiRequestsLast24h: 2 });
    expect(await now.dashboard.stats({ projectId: project.id })).toMatchObject({ apiRequestsLast24h: 1 });
    expect((await now.dashboard.apiUsage()).at(-1)).toMatchObject({ requests: 2 });
    expect(await now.dashboard.recentActivity()).not.toEqual([]);

    await expect(call.projects.update({ id: project.id, name: 'Other' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('storage'),
    });
  });
});
