import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { createTelemetry } from '#server/telemetry/telemetry.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';

const hourMs = 60 * 60 * 1000;

describe('the dashboard', () => {
  let deps: Deps;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ deps, close } = await startKit());
  });
  afterAll(() => close());

  /** A tenant in a server whose clock the test moves. */
  async function tenantAt(start: string) {
    const { clock, pass } = fakeClock(new Date(start));
    const telemetry = createTelemetry({ record: deps.record, log: deps.log, clock });
    const tenant = await newTenant(deps);
    return { ...tenant, call: callAs({ ...deps, clock, telemetry }, tenant.principal), telemetry, pass };
  }

  test('stats count what is there, over all workspaces or one', async () => {
    const { call, workspace, project } = await newTenant(deps);
    const stranger = await newTenant(deps);
    const second = await call.workspaces.create({ name: 'Second' });
    const other = await call.projects.create({ name: 'Other', workspaceId: second.id });
    const films = await call.collections.create({ name: 'Films', projectId: project.id, dimension: 384 });
    await call.collections.create({ name: 'Books', projectId: other.id });
    const gone = await call.collections.create({ name: 'Gone', projectId: other.id, dimension: 384 });
    for (const collection of [films, gone]) {
      for (const id of ['1', '2']) {
        await call.documents.write({
          collection: collection.id,
          document: { id, title: 'Metropolis' },
        });
      }
    }
    await call.collections.delete({ collection: gone.id });
    expect(await call.dashboard.stats()).toEqual({
      totalCollections: 2,
      totalDocuments: 2,
      apiRequestsLast24h: 0,
      activeProjects: 2,
    });
    expect(await call.dashboard.stats({ workspaceId: second.id })).toMatchObject({
      totalCollections: 1,
      totalDocuments: 0,
      activeProjects: 1,
    });
    for (const attempt of [
      () => stranger.call.dashboard.stats({ workspaceId: workspace.id }),
      () => stranger.call.dashboard.apiUsage({ workspaceId: workspace.id }),
      () => stranger.call.dashboard.recentActivity({ workspaceId: workspace.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await call.workspaces.delete({ id: second.id });
    expect(await call.dashboard.stats()).toMatchObject({ totalCollections: 1, activeProjects: 1 });
  });

  test('requests not yet written are counted too, and a day later they are no longer of today', async () => {
    const { call, workspace, telemetry, pass } = await tenantAt('2026-05-10T22:30:00.000Z');
    for (let i = 0; i < 3; i++) telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    pass(hourMs);
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    const requests = async () => (await call.dashboard.stats()).apiRequestsLast24h;
    expect(await requests()).toBe(4);
    pass(22 * hourMs);
    expect(await requests()).toBe(4);
    pass(hourMs);
    expect(await requests()).toBe(1);
  });

  test('usage has one entry a day in UTC, days without a request too', async () => {
    const { call, workspace, project, telemetry, pass } = await tenantAt('2026-02-27T23:59:59.000Z');
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    pass(1_000);
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    pass(24 * hourMs);
    expect(await call.dashboard.apiUsage({ days: 4 })).toEqual([
      { date: '2026-02-26', requests: 0 },
      { date: '2026-02-27', requests: 1 },
      { date: '2026-02-28', requests: 2 },
      { date: '2026-03-01', requests: 0 },
    ]);
    expect(await call.dashboard.apiUsage({ days: 1 })).toEqual([{ date: '2026-03-01', requests: 0 }]);
    expect(await call.dashboard.apiUsage()).toHaveLength(7);
    telemetry.countRequest({ workspaceId: workspace.id, projectId: project.id });
    const today = { date: '2026-03-01', requests: 1 };
    expect(await call.dashboard.apiUsage({ days: 1, projectId: project.id })).toEqual([today]);
    const other = await call.projects.create({ name: 'Other', workspaceId: workspace.id });
    expect(await call.dashboard.apiUsage({ days: 1, projectId: other.id })).toEqual([
      { ...today, requests: 0 },
    ]);
    for (const days of [0, 91, 1.5, 'many']) {
      await expect(call.dashboard.apiUsage({ days })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('activity is newest first and one event a change', async () => {
    const { call, principal, workspace, project } = await newTenant(deps);
    const { id } = await call.collections.create({ name: 'Films', projectId: project.id });
    await call.collections.update({ collection: id, description: 'All' });
    await call.collections.delete({ collection: id });
    await call.collections.restore({ id });
    const key = await call.apiKeys.create({ name: 'Shop', projectId: project.id });
    await call.apiKeys.update({ id: key.id, isActive: false });
    await call.apiKeys.delete({ id: key.id });
    await call.projects.update({ id: project.id, name: 'Renamed' });
    await call.projects.delete({ id: project.id });
    await call.projects.restore({ id: project.id });
    await call.workspaces.update({ id: workspace.id, name: 'Renamed' });
    await call.workspaces.delete({ id: workspace.id });
    await call.workspaces.restore({ id: workspace.id });
    const activity = await call.dashboard.recentActivity();
    expect(activity.map(({ type }) => type)).toEqual([
      'workspace_restored',
      'workspace_deleted',
      'workspace_updated',
      'project_restored',
      'project_deleted',
      'project_updated',
      'api_key_deleted',
      'api_key_updated',
      'api_key_created',
      'collection_restored',
      'collection_deleted',
      'collection_updated',
      'collection_created',
      'project_created',
      'workspace_created',
    ]);
    const actor = (await callAs(deps, principal).auth.me()).user?.username;
    expect(activity.at(-3)).toMatchObject({ description: 'Collection "Films" was created', actor });
    expect(await call.dashboard.recentActivity({ limit: 2 })).toEqual(activity.slice(0, 2));
  });

  test('a change that is refused leaves no event', async () => {
    const { call, project } = await newTenant(deps);
    await call.collections.create({ name: 'Films', projectId: project.id });
    const before = await call.dashboard.recentActivity();
    const again = call.collections.create({ name: 'Films', projectId: project.id });
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
    const limited = call.apiKeys.create({ name: 'Key', projectId: project.id, collections: ['None'] });
    await expect(limited).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await call.dashboard.recentActivity()).toEqual(before);
  });

  test('counters of a workspace that is gone drop out without taking the others along', async () => {
    const { telemetry, call, workspace } = await tenantAt('2026-06-01T10:00:00.000Z');
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    telemetry.countRequest({ workspaceId: 999_999_999, projectId: null });
    await Promise.all([telemetry.flush(), telemetry.flush()]);
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    await telemetry.stop();
    expect((await call.dashboard.stats()).apiRequestsLast24h).toBe(2);
  });

  test('counts that could not be written go out with the next batch', async () => {
    const { telemetry, call, workspace } = await tenantAt('2026-07-01T10:00:00.000Z');
    const driver = deps.record.sql;
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    await driver`alter table usage_counters rename to usage_counters_away`;
    try {
      await expect(telemetry.flush()).rejects.toThrow();
    } finally {
      await driver`alter table usage_counters_away rename to usage_counters`;
    }
    telemetry.countRequest({ workspaceId: workspace.id, projectId: null });
    await telemetry.flush();
    expect((await call.dashboard.stats()).apiRequestsLast24h).toBe(2);
  });
});
