import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { CollectionWithProgress } from '#shared/collections.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit({ database: 'bundled', settings: { embeddings: 'builtin' } });
});
afterAll(() => kit.close());

test('what has no text, or a vector of its own, is not waited for: a collection is read to its end', async () => {
  const { key } = await createTenant(kit, { name: 'films', dimension: 384 });
  const as = { key: key.key };
  const at = '/api/collections/films';
  const documents = [
    { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea.' },
    { id: 'chess', title: 'The Defence', text: 'A grandmaster loses his mind.' },
    { id: 'number', year: 1984 },
    { id: 'own', title: 'Mine', embedding: new Array(384).fill(1) },
  ];
  await must(call(kit, { method: 'POST', path: `${at}/documents/import`, body: documents, as }));
  const counts = async () => {
    const { documentCount, upgradedCount, toUpgradeCount } = await must(
      call<CollectionWithProgress>(kit, { method: 'GET', path: at, as }),
    );
    return { documentCount, upgradedCount, toUpgradeCount };
  };
  const { sql } = kit.deps.record;
  const sums = new Set<number>();
  await expect
    .poll(
      async () => {
        const { upgradedCount, toUpgradeCount } = await counts();
        sums.add(upgradedCount + toUpgradeCount);
        return upgradedCount;
      },
      { timeout: 30_000 },
    )
    .toBe(2);
  expect([...sums]).toEqual([2]);
  expect(await counts()).toEqual({ documentCount: 4, upgradedCount: 2, toUpgradeCount: 0 });
  expect(await sql`select 1 from documents where model_id is null`).toHaveLength(1);
});
