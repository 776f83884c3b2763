import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit({ database: 'bundled' });
});
afterAll(() => kit.close());

const statusOf = async (path: string) => (await kit.app.request(path)).status;

test('whether it is ready is one statement for all who ask at once, and asked anew afterwards', async () => {
  for (let times = 1; times <= 2; times += 1) {
    const statements = await statementsOf(kit.deps.record, async () => {
      const asked = await Promise.all(Array.from({ length: 50 }, () => statusOf('/ready')));
      expect(new Set(asked)).toEqual(new Set([200]));
    });
    expect(statements.filter((text) => text === 'select 1')).toHaveLength(1);
  }
});

test('whether it is alive is none', async () => {
  const statements = await statementsOf(kit.deps.record, async () => {
    expect(await statusOf('/health')).toBe(200);
  });
  expect(statements.filter((text) => text === 'select 1')).toEqual([]);
});
