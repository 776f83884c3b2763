import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';

describe.each(databases)('nearest sentences on the %s database', (database) => {
  let kit: Kit;
  let ask: (input: object) => ReturnType<typeof call<{ result?: { data: NearestSentence[] } }>>;
  beforeAll(async () => {
    kit = await startKit({ database });
    const { owner } = await createTenant(kit, { name: 'films', dimension: 384 });
    const path = '/api/collections/films/documents/import';
    const documents = [
      {
        id: 'wall-e',
        title: 'A film about robots who love',
        plot: 'The earth is full of garbage by now. A small robot falls in love with another robot. Both fly into space.',
      },
      { id: 'short', title: 'Robot love', year: 1986 },
    ];
    await must(call(kit, { method: 'POST', path, body: documents, as: owner.as }));
    ask = (input) =>
      call(kit, {
        method: 'GET',
        path: `/trpc/search.sentences?input=${encodeURIComponent(JSON.stringify({ collection: 'films', ...input }))}`,
        as: owner.as,
      });
  });
  afterAll(() => kit.close());

  test('are the ones that say what was searched for, of documents that have sentences', async () => {
    const { body } = await ask({ query: 'robot falls in love', ids: ['short', 'wall-e', 'nobody'] });
    expect(body.result?.data).toEqual([
      {
        id: 'wall-e',
        field: 'plot',
        text: 'A small robot falls in love with another robot.',
        similarity: expect.any(Number),
      },
    ]);
    expect(body.result?.data[0]?.similarity).toBeGreaterThan(0.3);
  });

  test('are asked of a page of documents at most', async () => {
    const ids = Array.from({ length: 21 }, (_, i) => String(i));
    expect((await ask({ query: 'robot', ids })).status).toBe(400);
    expect((await ask({ query: 'robot', ids: [] })).status).toBe(400);
  });
});
