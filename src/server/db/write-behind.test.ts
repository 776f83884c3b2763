import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { databases } from '#server/testing/databases.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import type { RecordStore } from './client.ts';
import { WriteBehind, type WriteBehindOptions } from './write-behind.ts';

describe.each(databases)('figures written behind, on the %s database', (kind) => {
  let record: RecordStore;
  let close: () => Promise<void>;
  let lines: string[];
  beforeAll(async () => {
    ({ record, close } = await openTestRecord(kind));
  });
  beforeEach(async () => {
    lines = [];
    await record.sql`drop table if exists figures`;
    await record.sql`create table figures (key text primary key, value int not null)`;
  });
  afterAll(() => close());

  function make(
    options: Partial<Omit<WriteBehindOptions<number>, 'record' | 'log' | 'what' | 'merge'>> = {},
  ) {
    return new WriteBehind<number>({
      record,
      log: createLog('info', (line) => lines.push(line)),
      what: 'figures',
      keysMax: 10,
      merge: (waiting, added) => waiting + added,
      async write(db, batch) {
        for (const [key, value] of batch) {
          await db.execute(sql`insert into figures values (${key}, ${value})
            on conflict (key) do update set value = figures.value + excluded.value`);
        }
      },
      ...options,
    });
  }
  const written = async () => {
    const rows = await record.sql<{ key: string; value: number }[]>`select * from figures order by key`;
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  };
  const away = () => record.sql`alter table figures rename to figures_away`;
  const back = () => record.sql`alter table figures_away rename to figures`;

  test('values of a key join in memory and go out together, by themselves', async () => {
    const figures = make({ flushAfterMs: 20 });
    figures.put('a', 1);
    figures.put('b', 5);
    figures.put('a', 2);
    expect(figures.pending()).toEqual(
      new Map([
        ['a', 3],
        ['b', 5],
      ]),
    );
    await expect.poll(written).toEqual({ a: 3, b: 5 });
    await expect.poll(() => figures.pending().size).toBe(0);
  });

  test('a batch that was refused is kept, tried again and logged once, and the log says when it is over', async () => {
    const figures = make({ flushAfterMs: 5 });
    await away();
    figures.put('a', 1);
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toContain('figures were not written');
    figures.put('a', 1);
    for (let i = 0; i < 3; i++) await expect(figures.flush()).rejects.toThrow();
    expect(figures.pending()).toEqual(new Map([['a', 2]]));
    await back();
    await expect.poll(written).toEqual({ a: 2 });
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[1]).toContain('figures are written again');
  });

  test('of a batch that is refused for a value, that one is dropped and named, and the others are written once', async () => {
    const figures = make();
    const keys = Array.from({ length: 9 }, (_, i) => `k${i}`);
    for (const key of keys) figures.put(key, key === 'k3' || key === 'k7' ? 2 ** 40 : 1);
    await figures.flush();
    const good = keys.filter((key) => key !== 'k3' && key !== 'k7');
    expect(await written()).toEqual(Object.fromEntries(good.map((key) => [key, 1])));
    expect(figures.pending().size).toBe(0);
    expect(lines.filter((line) => line.includes('it is dropped'))).toHaveLength(2);
    figures.put('k3', 1);
    await figures.flush();
    expect(await written()).toMatchObject({ k3: 1 });
  });

  test('what was written of a batch is not sent again when the record goes away amid it', async () => {
    const told: string[] = [];
    const figures = make({
      onWritten: (part) => void told.push(...part.map(([key]) => key)),
      write: async (db, batch) => {
        // Refused as a whole, then its first half is written; the second meets a database that is away.
        if (batch.length === 4) await db.execute(sql`select 1 / 0`);
        if (batch.some(([key]) => key === 'c')) await db.execute(sql`select * from not_there`);
        for (const [key, value] of batch)
          await db.execute(sql`insert into figures values (${key}, ${value})`);
      },
    });
    for (const key of ['a', 'b', 'c', 'd']) figures.put(key, 1);
    await expect(figures.flush()).rejects.toThrow();
    expect(await written()).toEqual({ a: 1, b: 1 });
    expect(told).toEqual(['a', 'b']);
    expect([...figures.pending().keys()]).toEqual(['c', 'd']);
  });

  test('figures read while batches go out are neither missed nor counted twice', async () => {
    const figures = make();
    const flushes: Promise<void>[] = [];
    for (let count = 1; count <= 50; count += 1) {
      figures.put('a', 1);
      const reading = figures.readWith(async (pending) => {
        const { a = 0 } = await written();
        return a + (pending.get('a') ?? 0);
      });
      flushes.push(figures.flush());
      expect(await reading).toBe(count);
    }
    await Promise.all(flushes);
    expect(await written()).toEqual({ a: 50 });
  });

  test('a reading during which a batch went out is made again', async () => {
    const figures = make();
    figures.put('a', 1);
    let readings = 0;
    const count = await figures.readWith(async (pending) => {
      readings += 1;
      const waiting = pending.get('a') ?? 0;
      if (readings === 1) await figures.flush();
      return waiting + ((await written())['a'] ?? 0);
    });
    expect([count, readings]).toEqual([1, 2]);
  });

  test('beyond the limit new keys are dropped, which is logged once', async () => {
    const figures = make({ keysMax: 2 });
    for (const key of ['a', 'b', 'c', 'd', 'a']) figures.put(key, 1);
    await figures.flush();
    expect(await written()).toEqual({ a: 2, b: 1 });
    expect(lines.filter((line) => line.includes('some are dropped'))).toHaveLength(1);
  });

  test('one that waits is dropped with all it had for a further one, where it is told to leave', async () => {
    const figures = make({ keysMax: 2, findLeaver: (waiting) => (waiting.has('a') ? 'a' : null) });
    for (const key of ['a', 'a', 'b', 'c', 'd']) figures.put(key, 1);
    await figures.flush();
    expect(await written()).toEqual({ b: 1, c: 1 });
    expect(lines.filter((line) => line.includes('2 wait to be written; some are dropped'))).toHaveLength(1);
  });

  test('stopping writes what waits, and a failure to do so is told', async () => {
    const figures = make();
    figures.put('a', 1);
    await away();
    await expect(figures.stop()).rejects.toThrow();
    await back();
    await figures.stop();
    expect(await written()).toEqual({ a: 1 });
  });
});
