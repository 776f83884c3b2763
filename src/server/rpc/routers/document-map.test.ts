import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { DocumentMap } from '#shared/document-map.ts';

interface Answer {
  result?: { data: DocumentMap };
  error?: { message: string; data: { details?: { path: string; message: string }[] } };
}

describe('the map of a collection', () => {
  let kit: Kit;
  let ask: (input: object) => ReturnType<typeof call<Answer>>;
  let mapOf: (input: object) => Promise<DocumentMap>;
  beforeAll(async () => {
    kit = await startKit();
    const { owner } = await createTenant(kit, { name: 'films', dimension: 384 });
    const documents = [
      { id: 'wall-e', title: 'Wall-E', plot: 'A small robot falls in love', genre: 'Animation', year: 2008 },
      { id: 'alien', title: 'Alien', plot: 'A crew meets a deadly creature', genre: 'Horror', year: 1979 },
      { id: 'numbers', year: 1979 },
    ];
    const path = '/api/collections/films/documents/import';
    await must(call(kit, { method: 'POST', path, body: documents, as: owner.as }));
    ask = (input) =>
      call(kit, {
        method: 'GET',
        path: `/trpc/documents.map?input=${encodeURIComponent(JSON.stringify({ collection: 'films', ...input }))}`,
        as: owner.as,
      });
    mapOf = async (input) => {
      const { body } = await ask(input);
      if (!body.result) throw new Error(JSON.stringify(body));
      return body.result.data;
    };
  });
  afterAll(() => kit.close());

  test('shows the documents that have a vector, with titles, values and where they lie', async () => {
    const map = await mapOf({ color_by: 'genre' });
    expect([map.found, map.withVector, map.components, map.isDate]).toEqual([3, 2, 256, false]);
    const shown = map.ids.map((id, i) => [id, map.titles[i], map.values[i]]);
    expect(shown.toSorted()).toEqual([
      ['alien', 'Alien', 'Horror'],
      ['wall-e', 'Wall-E', 'Animation'],
    ]);
    const rows = new Int8Array(Buffer.from(map.rows, 'base64'));
    expect(rows).toHaveLength(2 * 256);
    // Each row reaches its largest component.
    for (const i of [0, 1])
      expect(Math.max(...Array.from(rows.subarray(i * 256, (i + 1) * 256), Math.abs))).toBe(127);
    expect(Buffer.from(map.scales, 'base64')).toHaveLength(2 * 4);
  });

  test('shows those that pass a filter, and without vectors their values alone', async () => {
    const map = await mapOf({ filter_by: 'year:<2000', color_by: 'year', with_vectors: false });
    expect(map).toMatchObject({
      found: 2,
      withVector: 1,
      ids: ['alien'],
      values: [1979],
      rows: '',
      scales: '',
    });
  });

  test('says which field is unknown, and what is wrong with a filter', async () => {
    const unknown = await ask({ color_by: 'yaer' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.error?.data.details).toEqual([
      { path: 'color_by', message: expect.stringContaining('nearest is "year"') },
    ]);
    const broken = await ask({ filter_by: 'year:>' });
    expect([broken.status, broken.body.error?.data.details?.[0]?.path]).toEqual([400, 'filter_by']);
    expect((await ask({ color_by: '' })).status).toBe(400);
  });
});
