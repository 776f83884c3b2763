import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { limits } from '#shared/limits.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

test('a workspace has so many projects and no more, made or restored at the same moment', async () => {
  const { principal, workspace, project } = await newTenant(kit.deps);
  const call = callAs(kit.deps, principal);
  const { sql } = kit.deps.record;
  const most = limits.projectsPerWorkspaceMax;
  await call.projects.delete({ id: project.id });
  const livingIn = async () => {
    const [row] = await sql`select count(*)::int as living from projects
      where workspace_id = ${workspace.id} and deleted_at is null`;
    return row?.['living'];
  };
  await sql`insert into projects (workspace_id, name, slug)
    select ${workspace.id}, n::text, n::text from generate_series(1, ${most - 1 - (await livingIn())}::int) n`;
  const tries = await Promise.allSettled([
    ...Array.from({ length: 3 }, () => call.projects.create({ name: 'x', workspaceId: workspace.id })),
    call.projects.restore({ id: project.id }),
  ]);
  const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const refusal = { code: 'UNPROCESSABLE_CONTENT', message: `A workspace has at most ${most} projects` };
  expect(refusals).toEqual(Array(3).fill(expect.objectContaining(refusal)));
  expect(await livingIn()).toBe(most);
});
