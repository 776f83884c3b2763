import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';

describe.each(databases)('understanding a query on the %s database', (database) => {
  let kit: Kit;
  let as: Awaited<ReturnType<typeof createTenant>>['owner']['as'];
  const painters = ['Joseph Turner', 'Paul Klee', 'Berthe Morisot', 'Edgar Degas'];
  const first = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const documents = Array.from({ length: 60 }, (_, i) => ({
    id: String(i),
    title: i % 2 === 0 ? `Sunset number ${i}` : `Harbour number ${i}`,
    artist: i < 20 ? painters[i % painters.length] : `Anna ${first[i % 26]}berg`,
    kind: i % 3 === 0 ? 'painting' : 'print',
    year: 1800 + i,
    price: i,
    made: `${1800 + i}-06-01`,
  }));
  beforeAll(async () => {
    kit = await startKit({ database });
    const { owner } = await createTenant(kit, { name: 'art', dimension: 384 });
    as = owner.as;
    await must(
      call(kit, { method: 'POST', path: '/api/collections/art/documents/import', body: documents, as }),
    );
  });
  afterAll(() => kit.close());

  const search = (body: object, path = 'search') =>
    must(call<SearchAnswer>(kit, { method: 'POST', path: `/api/collections/art/${path}`, body, as }));

  test('makes conditions of names, kinds, amounts and years, and says which', async () => {
    const query = 'Turner sunset under 10 dollars';
    const { hits, request } = await search({ query, understand: true });
    expect(request.query).toBe('sunset');
    expect(request.understood).toEqual([
      { phrase: 'Turner', field: 'artist', filter_by: 'artist:Turner' },
      { phrase: 'under 10 dollars', field: 'price', filter_by: 'price:<10' },
    ]);
    expect(hits.map(({ id }) => id).sort()).toEqual(['0', '4', '8']);
    const years = await search(
      { query: 'painting harbour 1803', understand: true, filter_by: 'price:<50' },
      'hybrid-search',
    );
    expect(years.request.understood?.map(({ filter_by }) => filter_by)).toEqual([
      'kind:=painting',
      'year:1803',
    ]);
    expect(years.hits.map(({ id }) => id)).toEqual(['3']);
    expect(years.request['filter_by']).toBe('price:<50');
  });

  test('acts only where it is asked for, and not on what is skipped', async () => {
    const query = 'Turner sunset';
    const plain = await search({ query });
    expect(plain.request).not.toHaveProperty('understood');
    expect(plain.request.query).toBe(query);
    const skipped = await search({ query, understand: true, understand_skip: ['Turner'] });
    expect(skipped.request).toMatchObject({ query, understood: [] });
    expect(skipped.found).toBe(plain.found);
    const parameters = 'q=Turner%20sunset&understand=true&understand_skip=turner';
    const { request } = await must(
      call<SearchAnswer>(kit, { method: 'GET', path: `/api/collections/art/search?${parameters}`, as }),
    );
    expect(request.understood).toEqual([]);
  });

  test('lists all that pass where only conditions are typed, and keeps the words for meaning', async () => {
    const { found, request } = await search({ query: 'under 10 dollars', understand: true });
    expect([request.query, found]).toEqual(['*', 10]);
    const near = await search({ query: 'under 10 dollars', understand: true, k: 60 }, 'vector-search');
    expect([near.request.query, near.found]).toEqual(['under 10 dollars', 10]);
  });

  test('can be part of a preset, which a search overrules', async () => {
    const parameters = { understand: true };
    const path = '/api/collections/art/presets/clever';
    await must(call(kit, { method: 'PUT', path, body: { parameters }, as }));
    const query = 'Turner sunset';
    expect((await search({ query, preset: 'clever' })).request.understood).toHaveLength(1);
    expect((await search({ query, preset: 'clever', understand: false })).request).not.toHaveProperty(
      'understood',
    );
  });

  test('a document that it keeps out is told so, with the change that brings it', async () => {
    const body = { id: '2', query: 'Turner sunset', understand: true };
    const told = await must(
      call<ExplainAnswer>(kit, { method: 'POST', path: '/api/collections/art/explain', body, as }),
    );
    expect(told.lost).toMatchObject({
      step: 'rule',
      message: 'It does not pass what was understood of the query',
      clauses: [{ clause: 'artist:Turner' }],
    });
    expect(told.changes).toContainEqual({ parameter: 'understand', value: false });
  });

  test('is of one collection', async () => {
    const searches = [{ collection: 'art', query: 'Turner sunset', understand: true }];
    const path = '/api/multi-search';
    const each = await must(
      call<{ results: SearchAnswer[] }>(kit, { method: 'POST', path, body: { searches }, as }),
    );
    expect(each.results[0]?.request.understood).toHaveLength(1);
    const refused = await call(kit, { method: 'POST', path, body: { searches, merge: {} }, as });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ details: [{ path: 'searches.0.understand' }] });
  });
});
