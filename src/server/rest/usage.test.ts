import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createCollection, createKey, createProject, must, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { DashboardStats } from '#shared/dashboard.ts';

describe('usage', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  test('every REST request counts once, for its project; sign-in and dashboard do not', async () => {
    const owner = await signUp(kit);
    const [busy, quiet] = [await createProject(kit, owner, 'Busy'), await createProject(kit, owner, 'Quiet')];
    const collection = await createCollection(kit, owner, { projectId: busy.id, dimension: 8 });
    const key = await createKey(kit, owner, { projectId: busy.id });
    const requests = async (projectId?: number) => {
      const scope = projectId === undefined ? '' : `?projectId=${projectId}`;
      const path = `/api/dashboard/stats${scope}`;
      const stats = await must(call<DashboardStats>(kit, { method: 'GET', path, as: owner.as }));
      return stats.apiRequestsLast24h;
    };
    const before = { all: await requests(), busy: await requests(busy.id), quiet: await requests(quiet.id) };

    const path = `/api/collections/${collection.id}/search?query=x`;
    await call(kit, { method: 'GET', path, as: { key: key.key } });
    await call(kit, { method: 'GET', path, as: owner.as });
    await call(kit, { method: 'GET', path: '/api/collections/unknown', as: { key: key.key } });
    await call(kit, { method: 'GET', path: `/api/projects/${busy.id}`, as: owner.as });
    await call(kit, { method: 'GET', path: '/api/auth/me', as: owner.as });

    expect(await requests(busy.id)).toBe(before.busy + 4);
    expect(await requests(quiet.id)).toBe(before.quiet);
    expect(await requests()).toBe(before.all + 4);
  });
});
