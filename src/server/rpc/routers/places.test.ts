import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createCollection, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ImportSummary, StoredDocument } from '#shared/documents.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';

describe.each(databases)('places on the %s database', (database) => {
  let kit: Kit;
  let key: string;
  beforeAll(async () => {
    kit = await startKit({ database });
    const tenant = await createTenant(kit);
    const metadata = { fields: [{ name: 'at', type: 'geopoint' }] };
    const collection = { projectId: tenant.project.id, name: 'cities', dimension: 384, metadata };
    await createCollection(kit, tenant.owner, collection);
    key = tenant.key.key;
    const { status, body } = await send<ImportSummary>('POST', 'documents/import', [
      { id: 'paris', at: { lat: 48.8566, lng: 2.3522 } },
      { id: 'london', at: [51.5074, -0.1278] },
      { id: 'suva', at: [[-18.1416, 178.4419]] },
      { id: 'nowhere', at: [151, 0] },
    ]);
    expect([status, body.succeeded]).toEqual([207, 3]);
    expect(body.results?.[3]).toMatchObject({
      success: false,
      error: expect.stringContaining('at: must be a point'),
    });
  });
  afterAll(() => kit.close());

  const send = <T>(method: string, path: string, body?: unknown, headers = {}) =>
    call<T>(kit, { method, path: `/api/collections/cities/${path}`, body, headers, as: { key } });
  const search = (given: object) => must(send<SearchAnswer>('POST', 'search', { query: '*', ...given }));
  const idsOf = async (given: object) => (await search(given)).hits.map(({ id }) => id);

  test('are filtered and sorted by, in every list', async () => {
    expect(await idsOf({ filter_by: 'at:(48.85, 2.35, 5 km)' })).toEqual(['paris']);
    expect(await idsOf({ filter_by: 'at:(-30, 170, -30, -170, 0, -170, 0, 170)' })).toEqual(['suva']);
    const query = new URLSearchParams({ q: '*', sort_by: 'at(51.5, 0):asc' });
    const sorted = await must(send<SearchAnswer>('GET', `search?${query}`));
    expect(sorted.hits.map(({ id }) => id)).toEqual(['london', 'paris', 'suva']);
    expect(sorted.hits[0]?.geo_distance_meters?.['at']).toBeCloseTo(8_884, -1);
    const listed = await must(
      send<{ documents: StoredDocument[] }>(
        'GET',
        `documents?${new URLSearchParams({ filter_by: 'at:*', sort_by: 'at(0, 180)' })}`,
      ),
    );
    expect(listed.documents.map(({ id }) => id)).toEqual(['suva', 'london', 'paris']);
  });

  test('a walk by distance goes on behind where the last hit stood, also when that has moved', async () => {
    const asked = { sort_by: 'at(51.5074, -0.1278):asc', per_page: 1 };
    const first = await search({ ...asked, cursor: '' });
    const moved = { id: 'london', at: [0, 0] };
    expect((await send('PUT', 'documents/london', moved)).status).toBe(200);
    const second = await search({ ...asked, cursor: first.next_cursor });
    const third = await search({ ...asked, cursor: second.next_cursor });
    expect([first, second, third].map(({ hits }) => hits[0]?.id)).toEqual(['london', 'paris', 'london']);
    const other = { query: '*', per_page: 1, sort_by: 'at(51.5, 0):asc', cursor: first.next_cursor };
    expect((await send<ErrorBody>('POST', 'search', other)).body.details?.[0]?.path).toBe('cursor');
    await must(send('PATCH', 'documents/london', { at: { lat: 51.5074, lng: -0.1278 } }));
  });

  test('one document tells how far it is, and which radius would reach it', async () => {
    const asked = { id: 'paris', query: '*', filter_by: 'at:(51.5074, -0.1278, 5 km)' };
    const told = await must(send<ExplainAnswer>('POST', 'explain', asked));
    expect(told).toMatchObject({
      lost: { step: 'filter', clauses: [{ clause: asked.filter_by, position: 0 }] },
      changes: [{ parameter: 'filter_by', value: 'at:(51.5074, -0.1278, 343.557 km)' }],
    });
    const wider = { filter_by: told.changes[0]?.value, sort_by: 'at(51.5074, -0.1278)' };
    expect(await idsOf(wider)).toEqual(['london', 'paris']);
    const there = await must(send<ExplainAnswer>('POST', 'explain', { ...asked, ...wider }));
    expect([there.rank, Math.round(there.geo_distance_meters?.['at'] ?? 0)]).toEqual([2, 343_557]);
  });

  test.each<[string, object, object]>([
    ['filter_by', { filter_by: 'at:(1, 2)' }, { position: 8 }],
    ['filter_by', { filter_by: 'at:(1, 2, 5 leagues)' }, { position: 12 }],
    ['filter_by', { filter_by: 'at:paris' }, { position: 0 }],
    ['sort_by', { sort_by: 'at(1, 200):asc' }, { position: 6 }],
    ['sort_by', { sort_by: 'at' }, { message: expect.stringContaining('from where "at" is sorted') }],
    ['facet_by', { facet_by: 'at' }, { message: expect.stringContaining('"at" is a geopoint') }],
    ['group_by', { group_by: 'at' }, { message: expect.stringContaining('"at" is a geopoint') }],
  ])('a fault names %s: %j', async (path, given, fault) => {
    const { status, body } = await send<ErrorBody>('POST', 'search', { query: '*', ...given });
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path, ...fault })]]);
  });

  test('a change of a part is tested as the whole', async () => {
    const refused = await send<ErrorBody>('PATCH', 'documents/paris', { at: { lat: 95 } });
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([400, 'at']);
    await must(send('PATCH', 'documents/paris', { at: { lat: 48.86 } }));
    const changed = await must(send<StoredDocument>('GET', 'documents/paris'));
    expect(changed['at']).toEqual({ lat: 48.86, lng: 2.3522 });
    expect(await idsOf({ filter_by: 'at:(48.86, 2.3522, 0 m)' })).toEqual(['paris']);
  });

  test('what is exported can be imported again, and tables have points too', async () => {
    const lines = await must(send<string>('GET', 'documents/export'));
    await must(send('DELETE', 'documents?filter_by=at:*'));
    const ndjson = { 'content-type': 'application/x-ndjson' };
    expect(await must(send('POST', 'documents/import', lines, ndjson))).toMatchObject({ succeeded: 3 });
    expect(await must(send<string>('GET', 'documents/export'))).toBe(lines);
    const table = ['id,at.lat,at.lng', 'rome,41.9,12.5', 'half,41.9,', 'none,,'].join('\n');
    const parts = await send<ImportSummary>('POST', 'documents/import', table, {
      'content-type': 'text/csv',
    });
    expect(parts.body.results?.map(({ error }) => error)).toEqual([
      undefined,
      expect.stringContaining('at: must be a point'),
      undefined,
    ]);
    const cells = [
      'id\tat',
      'oslo\t59.9, 10.7',
      'two\t[[1,2],{"lat":3,"lng":4}]',
      'far\t99,1',
      'bad\t[1',
      'x\tx',
    ];
    const tabs = { 'content-type': 'text/tab-separated-values' };
    const whole = await send<ImportSummary>('POST', 'documents/import', cells.join('\n'), tabs);
    expect(whole.body.results?.map(({ success }) => success)).toEqual([true, true, false, false, false]);
    const near = (filter_by: string) => idsOf({ filter_by });
    expect(await near('at:(41.9, 12.5, 1 km)')).toEqual(['rome']);
    expect(await near('at:(59.9, 10.7, 1 km) || at:(3, 4, 1 km)')).toEqual(['oslo', 'two']);
    expect(await near('!at:*')).toEqual(['none']);
  });
});
