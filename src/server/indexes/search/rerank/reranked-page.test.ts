import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';
import type { SearchAnswer, SearchHit } from '#shared/search.ts';

/** Searches over REST, whose best hits a real HTTP server orders. */

let server: Awaited<ReturnType<typeof startReceiver>>;
let goods: CuratedCollection;
const lamps = Array.from({ length: 60 }, (_, i) => ({
  id: `lamp-${String(i).padStart(2, '0')}`,
  title: 'brass lamp',
  rank: i,
  text: `number ${i}`,
}));

beforeAll(async () => {
  server = await startReceiver();
  goods = await startCurated('bundled', {
    rerank: { url: `${server.url}/rerank`, apiKey: null, model: null, timeoutMs: 10_000, mayBePrivate: true },
  });
  await must(goods.send('POST', 'documents/import', lamps));
});
afterAll(async () => {
  await goods.kit.close();
  await server.close();
});
/** The highest number is the best. */
const byNumber = (message: { body: string }) => {
  const { documents }: { documents: string[] } = JSON.parse(message.body);
  return documents.map((text, index) => ({ index, relevance_score: Number(/\d+/.exec(text)?.[0] ?? 0) }));
};
beforeEach(() => {
  server.received.length = 0;
  server.answer((response, message) => void response.end(JSON.stringify({ results: byNumber(message) })));
});

const ask = (given: object, path = 'search') =>
  goods.send<SearchAnswer & { message: string }>('POST', path, { query: 'brass lamp', ...given });
const idsOf = (hits: SearchHit[]) => hits.map(({ id }) => id);

test('the best fifty stand in the order of the service, page by page, and all else is as without it', async () => {
  const plain = (await must(ask({ per_page: 60, facet_by: 'title' }))) as SearchAnswer;
  const best = plain.hits.slice(0, 50).map(({ id }) => id);
  const expected = [...best.toSorted().reverse(), ...idsOf(plain.hits).slice(50)];
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => must(ask({ rerank: true, per_page: 17, page, facet_by: 'title' }))),
  );
  expect(pages.flatMap(({ hits }) => idsOf(hits))).toEqual(expected);
  const hits = pages.flatMap((page) => page.hits);
  for (const { rerank_score, ...hit } of hits) {
    expect(hit).toEqual(plain.hits.find(({ id }) => id === hit.id));
    expect(rerank_score).toBe(best.includes(hit.id) ? Number(hit.id.slice(5)) : undefined);
  }
  for (const { found, facet_counts, request } of pages) {
    expect([found, facet_counts]).toEqual([plain.found, plain.facet_counts]);
    expect(request).not.toHaveProperty('without_reranking');
  }
  // The last page has none of the fifty.
  expect(server.received).toHaveLength(3);
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ query: 'brass lamp', top_n: 50 });
});

test('where it fails hits stand as without it, and why is told', async () => {
  server.answer((response) => void response.writeHead(500).end());
  const { hits, request } = await must(ask({ rerank: true }));
  expect(idsOf(hits)).toEqual(idsOf((await must(ask({}))).hits));
  expect(hits[0]).not.toHaveProperty('rerank_score');
  expect(request['without_reranking']).toBe('the re-ranking service: it answers 500');
});

test('pins keep their places', async () => {
  const pin = {
    id: 'pin',
    rule: { query: 'brass lamp', match: 'exact' },
    includes: [{ id: 'lamp-07', position: 2 }],
  };
  await must(goods.send('POST', 'overrides', pin));
  const { hits } = await must(ask({ rerank: true }));
  expect(hits[1]).toMatchObject({ id: 'lamp-07', curated: true });
  expect(hits[1]).not.toHaveProperty('rerank_score');
  expect(hits[0]?.rerank_score).toBeGreaterThan(hits[2]?.rerank_score ?? 0);
  await must(goods.send('DELETE', 'overrides/pin'));
});

test('hits that are too large, and those that an override orders, stand as without it', async () => {
  const tomes = Array.from({ length: 24 }, (_, i) => ({
    id: `tome-${i}`,
    title: 'heavy tome',
    pages: 'x'.repeat(200_000),
  }));
  await must(goods.send('POST', 'documents/import', tomes));
  const heavy = await must(ask({ query: 'heavy tome', rerank: true, per_page: 5 }));
  expect(heavy.hits).toHaveLength(5);
  expect(heavy.request['without_reranking']).toContain('include_fields');
  const parts = { query: 'heavy tome', rerank: true, per_page: 5, include_fields: 'title' };
  // What is read of documents is bounded too: the first five have a score.
  const { hits, request } = await must(ask(parts));
  expect(request).not.toHaveProperty('without_reranking');
  expect(hits.filter(({ rerank_score }) => rerank_score !== undefined).length).toBeGreaterThan(0);
  const order = { id: 'order', rule: { query: 'brass lamp', match: 'exact' }, sort_by: 'rank:desc' };
  await must(goods.send('POST', 'overrides', order));
  const ordered = await must(ask({ rerank: true }));
  expect(ordered.hits[0]?.id).toBe('lamp-59');
  expect(ordered.request['without_reranking']).toBe('an override orders these hits');
  await must(goods.send('DELETE', 'overrides/order'));
});

test('what it cannot order is refused, and without words there is nothing to ask', async () => {
  for (const given of [{ sort_by: 'rank:asc' }, { group_by: 'title' }, { cursor: '' }]) {
    const refused = await ask({ rerank: true, ...given });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^rerank: does not go with/);
  }
  const merged = await call<{ message: string }>(goods.kit, {
    method: 'POST',
    path: '/api/multi-search',
    body: { searches: [{ collection: 'goods', query: 'brass', rerank: true }], merge: {} },
    headers: goods.headers,
  });
  expect([merged.status, merged.body.message]).toEqual([400, expect.stringContaining('rerank')]);
  const all = await must(ask({ query: '*', rerank: true }));
  expect(all.hits).toHaveLength(10);
  expect(server.received).toEqual([]);
});

test('without a service it is refused, with who can set one up', async () => {
  const other = await startCurated('bundled');
  const refused = await other.send<{ message: string }>('POST', 'search', { query: 'tv', rerank: true });
  await other.kit.close();
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('RERANK_URL')]);
});
