import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '#server/testing/databases.ts';
import { type IndexesWorld, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';

describe.each(databases)('open indexes on the %s database', (kind) => {
  let world: IndexesWorld;

  beforeAll(async () => {
    world = await openIndexesWorld(kind);
  });
  afterAll(() => world.close());

  const everything = parameters({ query: '*' });

  it('opens an index once for all who ask at the same time', async () => {
    const collection = await world.newCollection();
    await world.openIndexes().write(collection, { action: 'upsert', document: { id: 'a', title: 'x' } });
    const { host, calls } = watchedHost();
    const indexes = world.openIndexes({ host });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => indexes.search(collection, everything)),
    );
    expect(answers.every((answer) => answer.found === 1)).toBe(true);
    expect(calls.filter((call) => call === 'open')).toHaveLength(1);
  });

  it('sees what another server wrote while this one had lost the database', async () => {
    let regained = () => {};
    const onRegained = (listener: () => void) => {
      regained = listener;
    };
    const first = world.openIndexes({ record: { ...world.record, onRegained } });
    const collection = await world.newCollection();
    for (const id of ['a', 'b'])
      await first.write(collection, { action: 'upsert', document: { id, title: 'x' } });
    const second = world.openIndexes();
    await second.delete(collection, 'a');
    await second.write(collection, { action: 'upsert', document: { id: 'c', title: 'x' } });
    // Writes its snapshot and forgets the deletion.
    await second.stop();
    regained();
    const idsOf = async () => (await first.search(collection, everything)).hits.map(({ id }) => id);
    expect(await idsOf()).toEqual(['b', 'c']);
    await first.write(collection, { action: 'upsert', document: { id: 'd', title: 'x' } });
    expect(await idsOf()).toEqual(['b', 'c', 'd']);
  });

  it('lets the index go that was used longest ago, and opens it again when it is asked', async () => {
    const { host, calls } = watchedHost();
    const settings = {
      dataDir: world.snapshotsDir.replace(/\/indexes$/, ''),
      indexMemoryBytes: 1,
      searchWorkers: 1,
    };
    const indexes = world.openIndexes({ host, settings });
    const first = await world.newCollection();
    const second = await world.newCollection();
    for (let i = 0; i < 3; i++) {
      await indexes.write(first, { action: 'upsert', document: { id: `a${i}`, title: 'first' } });
      await indexes.write(second, { action: 'upsert', document: { id: `b${i}`, title: 'second' } });
      expect((await indexes.search(first, everything)).found).toBe(i + 1);
      expect((await indexes.search(second, everything)).found).toBe(i + 1);
    }
    await expect.poll(() => indexes.stats().loaded).toBe(1);
    expect(calls.filter((call) => call === 'close').length).toBeGreaterThan(2);
    expect(world.logLines.some((line) => line.includes('larger than the memory budget'))).toBe(true);
    // An evicted index was saved, so that opening it is cheap.
    expect(calls).toContain('snapshot');
  });

  it('restores the index when the engine fails after the commit, before the write is answered', async () => {
    let failures = 1;
    const { host } = watchedHost((call) => {
      if (call === 'apply' && failures-- > 0) throw new Error('planted');
    });
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    await indexes.write(collection, { action: 'upsert', document: { id: 'a', title: 'stored' } });
    expect((await indexes.search(collection, everything)).hits.map((hit) => hit.id)).toEqual(['a']);
  });

  it('catches up with a write whose end is unknown before it answers again', async () => {
    const indexes = world.openIndexes();
    const collection = await world.newCollection();
    await indexes.write(collection, { action: 'upsert', document: { id: 'a', title: 'one' } });
    // The commit arrives, its answer does not: the next statement of this process fails after another connection wrote.
    await world.record.sql`
      with bump as (update collections set version = version + 1, document_count = document_count + 1 where id = ${collection.id} returning version)
      insert into documents (collection_id, id, version, source, content_hash)
      select ${collection.id}, 'b', version, '{"id":"b","title":"two"}', decode('00', 'hex') from bump`;
    await world.record.sql`alter table documents add constraint planted check (id <> 'c') not valid`;
    await expect(
      indexes.write(collection, { action: 'upsert', document: { id: 'c', title: 'three' } }),
    ).rejects.toThrow();
    await world.record.sql`alter table documents drop constraint planted`;
    const answer = await indexes.search(collection, parameters({ query: '*' }));
    expect(answer.hits.map((hit) => hit.id)).toEqual(['a', 'b']);
    await indexes.write(collection, { action: 'upsert', document: { id: 'c', title: 'three' } });
    expect((await indexes.search(collection, everything)).found).toBe(3);
  });

  it('answers searches of one collection while another is written to', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const busy = await world.newCollection();
    const free = await world.newCollection();
    const { host } = watchedHost((call, id) => (call === 'apply' && id === busy.id ? held : undefined));
    const indexes = world.openIndexes({ host });
    await indexes.write(free, { action: 'upsert', document: { id: 'a' } });
    const writing = indexes.write(busy, { action: 'upsert', document: { id: 'b' } });
    expect((await indexes.search(free, everything)).found).toBe(1);
    release();
    await writing;
    expect((await indexes.search(busy, everything)).found).toBe(1);
  });
});
