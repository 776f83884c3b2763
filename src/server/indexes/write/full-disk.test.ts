import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '#server/errors.ts';
import { type IndexesWorld, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

it('an import during which the disk fills is refused from there on, and what was in before stays in', async () => {
  let isFull = false;
  const record = {
    ...world.record,
    assertWritable: async () => {
      if (isFull) throw new AppError('UNAVAILABLE', 'The storage of this server is nearly full');
    },
  };
  const indexes = world.openIndexes({ record });
  const collection = await world.newCollection({ dimension: 4 });
  async function* rows() {
    for (let index = 0; index < 2_000; index++) {
      if (index === 1_000) isFull = true;
      yield { index, text: JSON.stringify({ id: `d${index}` }) };
    }
  }
  const results: boolean[] = [];
  const codes = new Set<string | undefined>();
  for await (const { success, code } of indexes.import(collection, { action: 'upsert', rows: rows() })) {
    results.push(success);
    codes.add(code);
  }
  const firstRefused = results.indexOf(false);
  expect(results).toHaveLength(2_000);
  expect(firstRefused).toBeGreaterThan(0);
  expect(firstRefused).toBeLessThanOrEqual(1_024);
  expect(results.slice(firstRefused)).not.toContain(true);
  expect(codes).toEqual(new Set([undefined, 'UNAVAILABLE']));
  isFull = false;
  const answer = await indexes.search(collection, parameters({ query: '*' }));
  expect(answer.found).toBe(firstRefused);
});
