import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import {
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  shownHits,
} from '#server/testing/open-indexes.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

const fields = 8;
const distinct = 1_000;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Two words that no other document or field has. */
const labelOf = (field: number, i: number) => {
  const own = [field, i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100) % 10]
    .map((n) => letters[n])
    .join('');
  return `${own.padEnd(22, 'x')} ${own.padEnd(22, 'y')}`;
};

test('what is known of fields with long names is bounded, and kept: it is read once', async () => {
  const host = createLocalHost();
  let counted = 0;
  const counting: EngineHost = {
    ...host,
    call(collectionId, request, signal) {
      if (request.call === 'search') counted += 1;
      return host.call(collectionId, request, signal);
    },
  };
  const indexes = world.openIndexes({ host: counting });
  const collection = await world.newCollection({ dimension: 2 });
  // Some values are shared, which labels are.
  const rows = Array.from({ length: distinct + 10 }, (_, i) => {
    const labels = Array.from({ length: fields }, (_, field) => [
      `${'f'.repeat(499)}${field}`,
      labelOf(field, i % distinct),
    ]);
    return { id: `d${i}`, embedding: [1, i], ...Object.fromEntries(labels) };
  });
  await collect(indexes.import(collection, { action: 'create', rows: rowsOf(rows) }));
  const query = `lamp ${labelOf(3, 5)}`;
  const search = () =>
    indexes.search(collection, parameters({ query, understand: true, include_fields: 'id' }));
  const { request } = await search();
  expect(request.understood).toMatchObject([{ field: `${'f'.repeat(499)}3` }]);
  const once = counted;
  // To know the values takes some, too.
  expect(once).toBeGreaterThan(1);
  for (let i = 0; i < 3; i += 1) expect(shownHits(await search())).toEqual([]);
  expect(counted).toBe(once + 3);
});
