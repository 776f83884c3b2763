import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collect, type IndexesWorld, openIndexesWorld, rowsOf } from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

async function filled(indexes: Indexes, count: number): Promise<WritableCollection> {
  const collection = await world.newCollection({ dimension: 2 });
  const rows = rowsOf(Array.from({ length: count }, (_, i) => ({ id: `d${i}` })));
  await collect(indexes.import(collection, { action: 'upsert', rows }));
  return collection;
}

it('lets no change wait for the room that another index takes while it is saved, and comes back to its own', async () => {
  let time = 0;
  let firstId = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const saved: number[] = [];
  const { host } = watchedHost((call, id) => {
    if (call !== 'snapshot') return undefined;
    saved.push(id);
    return id === firstId ? held : undefined;
  });
  const indexes = world.openIndexes({ host, now: () => time, snapshotsBytesMax: 1 });
  const first = await filled(indexes, 400);
  firstId = first.id;
  const second = await filled(indexes, 150);
  time = 10_000;
  await expect.poll(() => saved).toEqual([first.id]);
  await indexes.write(second, { action: 'upsert', document: { id: 'more' } });
  expect(saved).toEqual([first.id]);
  release();
  time = 20_000;
  await expect.poll(() => saved).toEqual([first.id, second.id]);
});

it('saves what grows slowly each time it has doubled, and the rest once nothing more comes', async () => {
  let time = 0;
  const saved: number[] = [];
  const { host } = watchedHost((call, id) => {
    if (call === 'snapshot') saved.push(id);
    return undefined;
  });
  const indexes = world.openIndexes({ host, now: () => time });
  const slow = await filled(indexes, 150);
  const savesOfSlow = () => saved.filter((id) => id === slow.id).length;
  /** The largest is looked at first, so once a small one is saved it was. */
  const looksAgain = async () => {
    const small = await filled(indexes, 120);
    time += 4_000;
    await expect.poll(() => saved).toContain(small.id);
  };
  await looksAgain();
  const saves = [savesOfSlow()];
  for (let batch = 1; batch <= 3; batch += 1) {
    const rows = rowsOf(Array.from({ length: 150 }, (_, i) => ({ id: `b${batch} ${i}` })));
    await collect(indexes.import(slow, { action: 'upsert', rows }));
    await looksAgain();
    saves.push(savesOfSlow());
  }
  // With 150, 300 and 600 documents.
  expect(saves).toEqual([1, 2, 2, 3]);
  const rows = rowsOf(Array.from({ length: 110 }, (_, i) => ({ id: `c${i}` })));
  await collect(indexes.import(slow, { action: 'upsert', rows }));
  await looksAgain();
  expect(savesOfSlow()).toBe(3);
  time += 60_000;
  await expect.poll(savesOfSlow).toBe(4);
});

it('has written a snapshot also where the deletions before it cannot be forgotten', async () => {
  const { sql } = world.record;
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'planted'; end $$`;
  await sql`create trigger refused before update of pruned_version on collections for each row execute function refuse()`;
  let time = 0;
  const indexes = world.openIndexes({ now: () => time });
  const collection = await filled(indexes, 150);
  const logged = (part: string) =>
    world.logLines.filter((line) => line.includes(part) && line.includes(`"collectionId":${collection.id}`));
  time = 10_000;
  await expect.poll(() => logged('could not be forgotten')).toHaveLength(1);
  expect(logged('could not be written')).toEqual([]);
  expect((await readdir(world.snapshotsDir)).some((name) => name.startsWith(`${collection.id}-`))).toBe(true);
  await sql`drop function refuse cascade`;
});
