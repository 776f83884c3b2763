import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { imports } from '#server/db/schema/imports.ts';
import { AppError } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { collect, type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { WriteAction } from '#shared/documents.ts';
import { createGarbageCollector } from '../host/collect-garbage.ts';
import type { Indexes, NewImport, WritableCollection } from '../indexes.ts';
import { importColumns } from './import-columns.ts';
import { ImportRecords } from './import-records.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

const given = (key: string | null, action: WriteAction = 'upsert'): NewImport => ({
  key,
  action,
  reading: { delimiter: undefined, mapping: undefined },
  signal: new AbortController().signal,
});
const noNote = async () => undefined;

/** With vectors of their own, so that nothing is embedded. */
async function* documents(count: number, { before = noNote as () => Promise<unknown> } = {}) {
  for (let i = 0; i < count; i += 1)
    yield { index: i, text: JSON.stringify({ id: `d${i}`, n: 1, embedding: [1, i, 0, 0] }) };
  await before();
}

describe('an import', () => {
  it('is under way for whoever sees its row, from the first moment on', async () => {
    const states: string[] = [];
    /** Looks at the row as soon as others can. */
    const watched = (record: RecordStore): RecordStore => ({
      ...record,
      as: (name) => watched(world.record.as(name)),
      async write(work, options) {
        const written = await record.write(work, options);
        const rows = await record.db.select(importColumns).from(imports);
        states.push(...rows.map((row) => records.toImport(row).state));
        return written;
      },
    });
    const log = createLog('debug', () => undefined);
    const records = new ImportRecords({ record: watched(world.record), log });
    const collection = await world.newCollection({ dimension: 4 });
    const running = await records.open(collection, given('seen'), noNote);
    await records.close(running, null);
    expect(states).toEqual(['running']);
  });

  it('that another server canceled unheard ends once that is seen, and no other does', async () => {
    const records = new ImportRecords({ record: world.record, log: createLog('silent') });
    const collection = await world.newCollection({ dimension: 4 });
    const canceled = await records.open(collection, given(null), noNote);
    const other = await records.open(collection, given(null), noNote);
    await world.record.sql`update imports set state = 'canceled' where id = ${canceled.id}`;
    await records.cancelMissed();
    expect([canceled.signal.aborted, other.signal.aborted]).toEqual([true, false]);
    for (const running of [canceled, other]) await records.close(running, null);
  });

  it('that another server has taken up meanwhile is not ended, nor counted, by the one that had it', async () => {
    const { record } = world;
    const records = new ImportRecords({ record, log: createLog('silent') });
    const collection = await world.newCollection({ dimension: 4 });
    const left = await records.open(collection, given('moved'), noNote);
    const own = await records.open(collection, given(null), noNote);
    await record.sql`update imports set server = server + 1, rows = 7 where id = ${left.id}`;
    for (const running of [left, own]) await records.close(running, new Error('cut off'));
    const [taken] = await record.db.select().from(imports).where(eq(imports.id, left.id));
    expect(taken).toMatchObject({ state: 'running', rows: 7, endedAt: null, error: null });
    const [ended] = await record.db.select().from(imports).where(eq(imports.id, own.id));
    expect(ended).toMatchObject({ state: 'interrupted', rows: 0 });
  });

  it('that could not be begun leaves its key free', async () => {
    const records = new ImportRecords({ record: world.record, log: createLog('debug', () => undefined) });
    const collection = await world.newCollection({ dimension: 4 });
    const failing = records.open(collection, given('free'), () => Promise.reject(new Error('not today')));
    await expect(failing).rejects.toThrow('not today');
    await records.close(await records.open(collection, given('free'), noNote), null);
  });

  it.each([2, 3, 4])(
    'whose batch %i finds the record away goes on there when it is sent again',
    async (nth) => {
      const { record } = world;
      let asked = 0;
      const away = new AppError('UNAVAILABLE', 'The database is away', { retryAfterSeconds: 1 });
      const assertWritable = async () => {
        asked += 1;
        if (asked === nth) throw away;
      };
      const withFailure = (of: RecordStore): RecordStore => ({
        ...of,
        as: (name) => withFailure(record.as(name)),
        assertWritable,
      });
      const indexes = world.openIndexes({ record: withFailure(record) });
      const collection = await world.newCollection({ dimension: 4 });
      const send = async () => {
        const opened = await indexes.imports.open(collection, given('again'), noNote);
        const upload = { action: 'upsert', rows: documents(300), opened } as const;
        const results = await collect(indexes.import(collection, upload));
        const [row] = await record.db.select().from(imports).where(eq(imports.id, opened.id));
        return {
          succeeded: results.filter(({ success }) => success).length,
          state: row?.state,
          rows: row?.rows,
        };
      };
      const first = await send();
      expect(first).toEqual({ succeeded: (nth - 2) * 128, state: 'interrupted', rows: (nth - 2) * 128 });
      expect(await send()).toEqual({ succeeded: 300, state: 'done', rows: 300 });
    },
  );

  it('with a key ends where no more of failed rows is kept', async () => {
    const collection = await world.newCollection({ dimension: 4 });
    const indexes = world.openIndexes();
    const send = async (key: string) => {
      const opened = await indexes.imports.open(collection, given(key, 'create'), noNote);
      const upload = { action: 'create', rows: documents(2), opened } as const;
      return { id: opened.id, results: await collect(indexes.import(collection, upload)) };
    };
    await send('first');
    const { id, results } = await send('second');
    expect(results.map(({ code }) => code)).toEqual(['CONFLICT', 'CONFLICT']);
    // A megabyte each.
    await world.record.sql`alter table import_faults alter column faults set storage external`;
    await world.record.sql`
      insert into import_faults (import_id, row, faults)
      select ${id}, 1000 + n, to_jsonb(repeat('x', 1024 * 1024)) from generate_series(1, 66) n`;
    const refused = await send('third');
    expect(refused.results.map(({ code }) => code)).toEqual(['UNPROCESSABLE', 'UNPROCESSABLE']);
    const [row] = await world.record.db.select().from(imports).where(eq(imports.id, refused.id));
    expect(row).toMatchObject({ rows: 0, state: 'interrupted' });
  });

  it('keeps no result that was told, however long it is', async () => {
    const collection = await world.newCollection({ dimension: 4 });
    const collectGarbage = createGarbageCollector();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const rows = documents(1_500, { before: () => ended });
    const upload = { action: 'upsert', rows } as const;
    const results = world.openIndexes().import(collection, upload)[Symbol.asyncIterator]();
    const told: WeakRef<object>[] = [];
    const take = async () => {
      const { value } = await results.next();
      told.push(new WeakRef(value));
    };
    for (let i = 0; i < 512; i += 1) await take();
    const kept = () => {
      collectGarbage();
      return told.slice(0, 256).filter((result) => result.deref() !== undefined).length;
    };
    await expect.poll(kept).toBe(0);
    end();
    expect(await collect({ [Symbol.asyncIterator]: () => results })).toHaveLength(1_500 - 512);
  });
});

describe('statements', () => {
  let collection: WritableCollection;
  let indexes: Indexes;
  beforeAll(async () => {
    collection = await world.newCollection({ dimension: 4 });
    indexes = world.openIndexes();
    await collect(indexes.import(collection, { action: 'upsert', rows: documents(1) }));
  });

  /** What three further batches of 128 rows take, by their first words. */
  async function ofThreeBatches(action: WriteAction, key: string | null): Promise<string[]> {
    const importAll = (count: number) =>
      statementsOf(world.record, async () => {
        const asked = key === null ? null : given(`${key} ${count}`, action);
        const opened = asked && (await indexes.imports.open(collection, asked, noNote));
        await collect(indexes.import(collection, { action, rows: documents(count), opened }));
      });
    const few = (await importAll(128)).map(kindOf);
    const more = (await importAll(512)).map(kindOf);
    for (const kind of few) more.splice(more.indexOf(kind), 1);
    return more.sort();
  }

  const threeTimes = (...kinds: string[]) => kinds.flatMap((kind) => [kind, kind, kind]).sort();

  it.each(['upsert', 'create'] as const)(
    'a batch (%s) is one, with a key a transaction of two',
    async (action) => {
      expect(await ofThreeBatches(action, null)).toEqual(threeTimes('write'));
      const keyed = await ofThreeBatches(action, action);
      const faults = action === 'create' ? ['faults'] : [];
      expect(keyed).toEqual(threeTimes(...begin, 'write', 'mark', 'commit', ...faults));
    },
  );

  it('a batch that is merged reads sizes and documents first', async () => {
    expect(await ofThreeBatches('emplace', null)).toEqual(threeTimes('read', 'read', 'write'));
    expect(await ofThreeBatches('emplace', 'emplace')).toEqual(
      threeTimes('read', 'read', ...begin, 'write', 'mark', 'commit'),
    );
  });

  it('a change by a filter reads the version and sizes once, and each 128 documents once, and writes them in one transaction', async () => {
    await collect(indexes.import(collection, { action: 'upsert', rows: documents(512) }));
    const change = () => indexes.mergeByFilter(collection, { filterBy: 'n:1' }, { seen: true });
    const fourTimes = (kind: string) => new Array(4).fill(kind);
    expect((await statementsOf(world.record, change)).map(kindOf)).toEqual([
      ...['read', 'read', ...fourTimes('read'), ...begin, ...fourTimes('write'), 'commit'],
    ]);
    const remove = () => indexes.deleteByFilter(collection, { filterBy: 'n:1' });
    expect((await statementsOf(world.record, remove)).map(kindOf)).toEqual(['write']);
  });
});

/** The driver numbers its transactions. */
const begin = ['begin', 'number'];

function kindOf(text: string): string {
  const words = text.trim().toLowerCase();
  if (words.endsWith('as transaction')) return 'number';
  if (words.startsWith('update imports')) return 'mark';
  if (words.startsWith('insert into import_faults')) return 'faults';
  if (/^with|^update|^insert|^delete/.test(words)) return 'write';
  return words.startsWith('select') ? 'read' : (words.split(/\s/, 1)[0] ?? '');
}
