import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createCollection, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { SearchAnswer } from '#shared/search.ts';

describe.each(databases)('places on the %s database', (database) => {
  let kit: Kit;
  let key: string;
  beforeAll(async () => {
    kit = await startKit({ database });
    const metadata = { fields: [{ name: 'at', type: 'geopoint' }] };
    const tenant = await createTenant(kit);
    const { owner, project } = tenant;
    await createCollection(kit, owner, { projectId: project.id, name: 'cities', dimension: 384, metadata });
    key = tenant.key.key;
  });
  afterAll(() => kit.close());

  const send = <T>(method: string, path: string, body?: unknown) =>
    call<T>(kit, { method, path: `/api/collections/cities/${path}`, body, as: { key } });

  test('are taken in, filtered and sorted by, and a row that is none is told', async () => {
    const { status, body } = await send<{ results: { success: boolean; error?: string }[] }>(
      'POST',
      'documents/import',
      [
        { id: 'paris', at: { lat: 48.8566, lng: 2.3522 } },
        { id: 'london', at: [51.5074, -0.1278] },
        { id: 'nowhere', at: [151, 0] },
      ],
    );
    expect([status, body.results.map(({ success }) => success)]).toEqual([207, [true, true, false]]);
    expect(body.results[2]?.error).toContain('at: must be a point');
    const near = await must(
      send<SearchAnswer>('POST', 'search', { query: '*', filter_by: 'at:(48.85, 2.35, 5 km)' }),
    );
    expect(near.hits.map(({ id }) => id)).toEqual(['paris']);
    const query = new URLSearchParams({ q: '*', sort_by: 'at(51.5, 0):asc' });
    const sorted = await must(send<SearchAnswer>('GET', `search?${query}`));
    expect(sorted.hits.map(({ id, geo_distance_meters: far }) => [id, Math.round(far?.['at'] ?? 0)])).toEqual(
      [
        ['london', 8884],
        ['paris', expect.any(Number)],
      ],
    );
    const fault = await send<ErrorBody>('POST', 'search', { query: '*', filter_by: 'at:(1, 2)' });
    expect([fault.status, fault.body.details?.[0]?.position]).toEqual([400, 9]);
  });
});
