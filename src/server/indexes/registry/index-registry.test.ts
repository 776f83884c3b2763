import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '#server/testing/databases.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  shownHits,
  withRegaining,
} from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

describe.each(databases)('open indexes on the %s database', (kind) => {
  let world: IndexesWorld;

  beforeAll(async () => {
    world = await openIndexesWorld(kind);
  });
  afterAll(() => world.close());

  /** Reserved for an index that has hardly any documents. */
  const openingBytes = 65_536;
  const everything = parameters({ query: '*' });
  const upsert = (indexes: Indexes, collection: WritableCollection, document: Record<string, unknown>) =>
    indexes.write(collection, { action: 'upsert', document });
  /** So many changes that an index is saved before it leaves. */
  const many = 110;
  const importMany = (indexes: Indexes, collection: WritableCollection) => {
    const rows = rowsOf(Array.from({ length: many }, (_, i) => ({ id: `m${i}` })));
    return collect(indexes.import(collection, { action: 'upsert', rows }));
  };
  const idsFound = async (indexes: Indexes, collection: WritableCollection) =>
    shownHits(await indexes.search(collection, everything)).map(({ id }) => id);
  /** A document that another connection writes, as a statement does whose answer never comes. */
  const writeBehind = (collection: WritableCollection, id: string) => world.record.sql`
    with bump as (update collections set version = version + 1, document_count = document_count + 1 where id = ${collection.id} returning version)
    insert into documents (collection_id, id, version, source, content_hash)
    select ${collection.id}, ${id}, version, ${JSON.stringify({ id, title: 'x' })}, decode('00', 'hex') from bump`;
  const failedWrite = async (indexes: Indexes, collection: WritableCollection) => {
    const { sql } = world.record;
    await sql`alter table documents add constraint planted check (id <> 'planted') not valid`;
    await expect(upsert(indexes, collection, { id: 'planted' })).rejects.toThrow();
    await sql`alter table documents drop constraint planted`;
  };

  /** An index that is being made anew, until it is told to end; nobody waits for that. */
  const madeAnew = async (ids: string[]) => {
    let held: Promise<void> | undefined;
    let release = () => {};
    const { host, calls } = watchedHost((call) => (call === 'open' ? held : undefined));
    const indexes = world.openIndexes({ host, turnWaitMs: 20 });
    const collection = await world.newCollection();
    for (const id of ids) await upsert(indexes, collection, { id, title: 'x' });
    held = new Promise((resolve) => {
      release = resolve;
    });
    calls.length = 0;
    const repaired = indexes.repair(collection);
    await expect.poll(() => calls).toContain('open');
    const end = async () => {
      release();
      await repaired;
    };
    return { indexes, collection, end };
  };

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
    const { record, regain } = withRegaining(world.record);
    const first = world.openIndexes({ record });
    const collection = await world.newCollection();
    for (const id of ['a', 'b'])
      await first.write(collection, { action: 'upsert', document: { id, title: 'x' } });
    const second = world.openIndexes();
    await second.delete(collection, 'a');
    await second.write(collection, { action: 'upsert', document: { id: 'c', title: 'x' } });
    // Writes its snapshot and forgets the deletion.
    await second.stop();
    regain();
    const idsOf = async () => shownHits(await first.search(collection, everything)).map(({ id }) => id);
    expect(await idsOf()).toEqual(['b', 'c']);
    await first.write(collection, { action: 'upsert', document: { id: 'd', title: 'x' } });
    expect(await idsOf()).toEqual(['b', 'c', 'd']);
  });

  it('is compared once more when it was doubted while it was compared', async () => {
    const { record, regain } = withRegaining(world.record);
    let held: Promise<void> | undefined;
    const { host, calls } = watchedHost((call) => (call === 'apply' ? held : undefined));
    const indexes = world.openIndexes({ host, record });
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    await writeBehind(collection, 'c');
    regain();
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    calls.length = 0;
    const found = idsFound(indexes, collection);
    await expect.poll(() => calls).toContain('apply');
    await writeBehind(collection, 'd');
    regain();
    release();
    expect(await found).toEqual(['a', 'c', 'd']);
  });

  it('is not thrown away when the one for whom it is compared hangs up', async () => {
    const { record, regain } = withRegaining(world.record);
    const caller = new AbortController();
    let isCompared = false;
    const { host, calls } = watchedHost((call) => {
      if (call === 'apply' && isCompared) caller.abort(new Error('gone'));
    });
    const indexes = world.openIndexes({ host, record });
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    // More than there is room for unasked, behind a deletion.
    const numbers = Array.from({ length: 40_000 }, (_, i) => i);
    const elsewhere = world.openIndexes();
    await elsewhere.delete(collection, 'a');
    await upsert(elsewhere, collection, { id: 'b', numbers });
    regain();
    isCompared = true;
    await expect(indexes.search(collection, everything, caller.signal)).rejects.toThrow('gone');
    expect(await idsFound(indexes, collection)).toEqual(['b']);
    expect(calls.filter((call) => call === 'open')).toHaveLength(1);
    expect(calls).not.toContain('close');
  });

  /** For so many of the smallest indexes, the last of which is being opened. */
  const settingsFor = async (count: number) => {
    const measuring = world.openIndexes();
    await upsert(measuring, await world.newCollection(), { id: 'a', title: 'x' });
    const indexMemoryBytes = openingBytes + Math.ceil((count - 0.5) * measuring.stats().memoryBytes);
    return { dataDir: path.dirname(world.snapshotsDir), indexMemoryBytes, answerBytesMax: 1e6 };
  };

  it('lets the index go that was used longest ago, and opens it again when it is asked', async () => {
    const { host, calls } = watchedHost();
    const indexes = world.openIndexes({ host, settings: await settingsFor(1) });
    const first = await world.newCollection();
    const second = await world.newCollection();
    for (let i = 0; i < 3; i++) {
      await upsert(indexes, first, { id: `a${i}`, title: 'x' });
      await upsert(indexes, second, { id: `b${i}`, title: 'x' });
      expect((await indexes.search(first, everything)).found).toBe(i + 1);
      expect((await indexes.search(second, everything)).found).toBe(i + 1);
    }
    expect(indexes.stats().loaded).toBe(1);
    expect(calls.filter((call) => call === 'close').length).toBeGreaterThan(2);
    // A few changes are read from the record; one that leaves with many is saved, so that opening it is cheap.
    expect(calls).not.toContain('snapshot');
    await importMany(indexes, first);
    expect((await indexes.search(second, everything)).found).toBe(3);
    expect(calls).toContain('snapshot');
    expect((await indexes.search(first, everything)).found).toBe(3 + many);
  });

  it('lets indexes go that were opened by reading alone', async () => {
    const collections = [await world.newCollection(), await world.newCollection()];
    const writer = world.openIndexes();
    for (const collection of collections) await upsert(writer, collection, { id: 'a', title: 'x' });
    const reader = world.openIndexes({ settings: await settingsFor(1) });
    for (const collection of collections) expect(await idsFound(reader, collection)).toEqual(['a']);
    expect(reader.stats().loaded).toBe(1);
  });

  it('restores the index when the engine fails after the commit, before the write is answered', async () => {
    let failures = 1;
    const { host, calls } = watchedHost((call) => {
      if (call === 'apply' && failures-- > 0) throw new Error('planted');
    });
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'stored' });
    expect(calls.filter((call) => call === 'open')).toHaveLength(2);
    expect(await idsFound(indexes, collection)).toEqual(['a']);
  });

  it('catches up with a write whose end is unknown before it answers again', async () => {
    const indexes = world.openIndexes();
    const collection = await world.newCollection();
    await indexes.write(collection, { action: 'upsert', document: { id: 'a', title: 'one' } });
    // The commit arrives, its answer does not: the next statement of this process fails after another connection wrote.
    await writeBehind(collection, 'b');
    await failedWrite(indexes, collection);
    const answer = await indexes.search(collection, parameters({ query: '*' }));
    expect(shownHits(answer).map((hit) => hit.id)).toEqual(['a', 'b']);
    await indexes.write(collection, { action: 'upsert', document: { id: 'c', title: 'three' } });
    expect((await indexes.search(collection, everything)).found).toBe(3);
  });

  it('catches up after a write whose connection was lost before it was answered', async () => {
    const indexes = world.openIndexes();
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    const { sql } = world.record;
    await sql`create function lose() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`;
    await sql`create trigger lost before insert on documents for each row when (new.id = 'lost') execute function lose()`;
    await writeBehind(collection, 'b');
    const lost = upsert(indexes, collection, { id: 'lost' });
    await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await sql`drop function lose cascade`;
    expect(await idsFound(indexes, collection)).toEqual(['a', 'b']);
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

  it('deletes, by id and by filter, right after the thread with the index has died', async () => {
    const { host, calls, loseIndexes } = watchedHost();
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    for (const id of ['a', 'b', 'c', 'd']) await upsert(indexes, collection, { id, title: 'x' });
    loseIndexes();
    expect(asRead(await indexes.delete(collection, 'a'))).toEqual({ id: 'a', title: 'x' });
    loseIndexes();
    expect(await indexes.deleteByFilter(collection, { filterBy: 'id:[b, c]' })).toBe(2);
    loseIndexes();
    await expect(indexes.delete(collection, 'a')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await idsFound(indexes, collection)).toEqual(['d']);
    expect(calls.filter((call) => call === 'open')).toHaveLength(4);
  });

  it('stays lost after a failed write, and is not called fresh by a comparison that finds nothing new', async () => {
    const { host, loseIndexes } = watchedHost();
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    loseIndexes();
    await failedWrite(indexes, collection);
    expect(await indexes.deleteByFilter(collection, { filterBy: 'id:a' })).toBe(1);
    expect(await idsFound(indexes, collection)).toEqual([]);
  });

  it('notices a version that it was not told of, and catches up with it', async () => {
    const indexes = world.openIndexes();
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    // A statement whose connection broke, committed long after its index was compared with the record.
    await writeBehind(collection, 'b');
    await upsert(indexes, collection, { id: 'c', title: 'x' });
    expect(await idsFound(indexes, collection)).toEqual(['a', 'b', 'c']);
    await writeBehind(collection, 'd');
    await indexes.delete(collection, 'a');
    expect(await idsFound(indexes, collection)).toEqual(['b', 'c', 'd']);
  });

  it('is made anew when it is ahead of a record that was put back', async () => {
    const indexes = world.openIndexes();
    const collection = await world.newCollection();
    for (const title of ['one', 'two', 'three']) await upsert(indexes, collection, { id: 'a', title });
    const { sql } = world.record;
    await sql`
      update documents set version = 1, source = '{"id":"a","title":"one"}' where collection_id = ${collection.id}`;
    await sql`update collections set version = 1 where id = ${collection.id}`;
    await failedWrite(indexes, collection);
    const seen = asRead(await indexes.get(collection, { id: 'a', withEmbedding: false }));
    expect(seen).toEqual({ id: 'a', title: 'one' });
  });

  it('deletes what a write stored whose change could not be applied', async () => {
    let fail: ((reason: Error) => void) | undefined;
    const { host, calls } = watchedHost((call) => {
      if (call !== 'apply' || fail) return;
      return new Promise<void>((_, reject) => {
        fail = reject;
      });
    });
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    const writing = upsert(indexes, collection, { id: 'a', title: 'x' });
    await expect.poll(() => calls).toContain('apply');
    const deleting = indexes.delete(collection, 'a');
    fail?.(new Error('planted'));
    expect(asRead(await deleting)).toEqual({ id: 'a', title: 'x' });
    await writing;
    expect(await idsFound(indexes, collection)).toEqual([]);
  });

  it('gives back the memory of an index whose collection was deleted while it was behind', async () => {
    const { host } = watchedHost();
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    await upsert(indexes, collection, { id: 'a', title: 'x' });
    await failedWrite(indexes, collection);
    await world.record.sql`update collections set deleted_at = now() where id = ${collection.id}`;
    await expect(idsFound(indexes, collection)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(host.call(collection, { call: 'stats' })).rejects.toThrow(IndexLostError);
    await indexes.drop(collection.id);
    expect(indexes.stats()).toMatchObject({ loaded: 0, memoryBytes: 0 });
  });

  it('gives back the memory of an index whose opening failed half-way', async () => {
    const { host } = watchedHost();
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    await world.record.sql`
      insert into documents (collection_id, id, version, source, content_hash)
      values (${collection.id}, 'a', 1, '[]', decode('00', 'hex'))`;
    await world.record.sql`update collections set version = 1 where id = ${collection.id}`;
    await expect(idsFound(indexes, collection)).rejects.toThrow('is not an object');
    await expect(host.call(collection, { call: 'stats' })).rejects.toThrow(IndexLostError);
    expect(indexes.stats().loaded).toBe(0);
  });

  it('is not thrown away for a write that failed while another was being applied', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { host, calls } = watchedHost((call) => (call === 'apply' ? held : undefined));
    const indexes = world.openIndexes({ host });
    const collection = await world.newCollection();
    const innocent = upsert(indexes, collection, { id: 'a', title: 'x' });
    await expect.poll(() => calls).toContain('apply');
    await failedWrite(indexes, collection);
    release();
    await innocent;
    expect(await idsFound(indexes, collection)).toEqual(['a']);
    expect(calls.filter((call) => call === 'open')).toHaveLength(1);
  });

  it('is not waited for without an end while it is made anew', async () => {
    const { indexes, collection, end } = await madeAnew(['a']);
    const late = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
    await expect(idsFound(indexes, collection)).rejects.toMatchObject(late);
    await end();
    expect(await idsFound(indexes, collection)).toEqual(['a']);
  });

  it('changes nothing for those whose turn does not come in time', async () => {
    const { indexes, collection, end } = await madeAnew(['a', 'b']);
    const late = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
    await expect(upsert(indexes, collection, { id: 'c', title: 'x' })).rejects.toMatchObject(late);
    await expect(indexes.delete(collection, 'a')).rejects.toMatchObject(late);
    await expect(
      indexes.mergeByFilter(collection, { filterBy: 'id:a' }, { title: 'y' }),
    ).rejects.toMatchObject(late);
    world.logLines.length = 0;
    const rows = rowsOf([{ id: 'd', title: 'x' }]);
    const imported = await collect(indexes.import(collection, { action: 'upsert', rows }));
    expect(imported).toMatchObject([{ id: 'd', success: false, code: 'UNAVAILABLE', retry_after: 5 }]);
    let batches = 0;
    const assertAllowed = async () => {
      batches += 1;
    };
    const large = rowsOf(Array.from({ length: 12 * 128 }, (_, i) => ({ id: `l${i}` })));
    const stopped = await collect(
      indexes.import(collection, { action: 'upsert', rows: large, assertAllowed }),
    );
    expect(stopped).toHaveLength(12 * 128);
    expect(stopped.every(({ code, retry_after }) => code === 'UNAVAILABLE' && retry_after === 5)).toBe(true);
    // Those under way have waited, and none behind them.
    expect(batches).toBeLessThanOrEqual(5);
    expect(world.logLines.filter((line) => line.includes('refused for load'))).toHaveLength(2);
    expect(world.logLines.filter((line) => line.includes('import batch failed'))).toEqual([]);
    await end();
    expect(await idsFound(indexes, collection)).toEqual(['a', 'b']);
    const [stored] = await world.record.sql`
      select count(*) from documents where collection_id = ${collection.id}`;
    expect(Number(stored?.['count'])).toBe(2);
    // The next one has its turn.
    await upsert(indexes, collection, { id: 'e', title: 'x' });
    expect(await idsFound(indexes, collection)).toEqual(['a', 'b', 'e']);
  });

  it('writes a snapshot after many changes even when they never pause', async () => {
    const { host, calls } = watchedHost();
    const indexes = world.openIndexes({ host, now: () => 0, changesWithoutIdleMax: 200 });
    const collection = await world.newCollection({ dimension: 2 });
    const giveUpAt = Date.now() + 60_000;
    // Two writers: a turn of one is always queued when the other's ends.
    const writer = async (name: string) => {
      for (let i = 0; !calls.includes('snapshot') && Date.now() < giveUpAt; i++) {
        await upsert(indexes, collection, { id: `${name}${i % 300}` });
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(writer));
    expect(calls).toContain('snapshot');
  });

  it('writes a snapshot of what was replayed, so that the next start need not replay it again', async () => {
    const first = world.openIndexes();
    const collection = await world.newCollection({ dimension: 2 });
    const documents = (name: string, count: number) =>
      rowsOf(Array.from({ length: count }, (_, i) => ({ id: `${name}${i}` })));
    await collect(first.import(collection, { action: 'upsert', rows: documents('a', 150) }));
    await first.stop();
    const second = world.openIndexes();
    await collect(second.import(collection, { action: 'upsert', rows: documents('b', 150) }));
    // The process ends here, and its last changes are in no snapshot.
    let now = 0;
    const { host, calls } = watchedHost();
    const third = world.openIndexes({ host, now: () => now });
    expect((await third.search(collection, everything)).found).toBe(300);
    now = 10_000;
    await expect.poll(() => calls).toContain('snapshot');
  });

  it('keeps an index that is asked while it is saved in order to leave', async () => {
    const [first, second] = [await world.newCollection(), await world.newCollection()];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const closed: number[] = [];
    const { host, calls } = watchedHost((call, id) => {
      if (call === 'close') closed.push(id);
      return call === 'snapshot' && id === first.id ? held : undefined;
    });
    const indexes = world.openIndexes({ host, settings: await settingsFor(2) });
    await importMany(indexes, first);
    await upsert(indexes, second, { id: 'b', title: 'x' });
    const third = upsert(indexes, await world.newCollection(), { id: 'c', title: 'x' });
    await expect.poll(() => calls).toContain('snapshot');
    expect((await indexes.search(first, everything)).found).toBe(many);
    release();
    await third;
    // The other one has left in its place.
    expect(closed).toEqual([second.id]);
    expect(indexes.stats().loaded).toBe(2);
  });
});
