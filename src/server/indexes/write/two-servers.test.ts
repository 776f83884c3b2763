import { AsyncLocalStorage } from 'node:async_hooks';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '#server/errors.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  rowsOf,
  withRegaining,
} from '#server/testing/open-indexes.ts';
import type { WriteAction } from '#shared/documents.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

/**
 * Two servers write to one record: each has its own turns and knows nothing of the other's. What is said here is said of the record; their
 * indexes, which a cluster would have, are each its own.
 */
let world: IndexesWorld;
let one: Indexes;
let two: Indexes;
let collection: WritableCollection;
/** The first one embeds once this resolves, and has been asked to as soon as `asked` has. */
let gate: Promise<void> = Promise.resolve();
let asked: () => void = () => undefined;
let regain: () => void;

beforeAll(async () => {
  world = await openIndexesWorld('bundled');
  const { embedder } = world;
  const regaining = withRegaining(world.record);
  regain = regaining.regain;
  one = world.openIndexes({
    record: regaining.record,
    embedder: {
      ...embedder,
      async embedDocuments(task, signal) {
        asked();
        await gate;
        return await embedder.embedDocuments(task, signal);
      },
    },
  });
  two = world.openIndexes();
});
beforeEach(async () => {
  collection = await world.newCollection({ dimension: 8 });
});
afterAll(() => world.close());

type Document = Record<string, unknown>;
interface Condition {
  ifVersion?: number;
}

const write = (by: Indexes, action: WriteAction, document: Document, condition: Condition = {}) =>
  by.write(collection, { action, document, ...condition });
const codeOf = (writing: Promise<unknown>) =>
  writing.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );

/** What the record has, whoever wrote it. */
async function stored(id = 'a'): Promise<Document | null> {
  const [row] = await world.record.sql`
    select source from documents where collection_id = ${collection.id} and id = ${id}`;
  return row ? JSON.parse(row['source']) : null;
}

/** Begins a change at the first server, and lets another one happen after that has read and before it writes. */
async function amid<T>(change: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  let open: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const changing = change();
  changing.catch(() => undefined);
  try {
    await Promise.race([isAsked, changing]);
    asked = () => undefined;
    await meanwhile();
  } finally {
    open();
  }
  return await changing;
}

/** Changes that wait for the collection's row together, and then follow each other. */
async function atOnce(changes: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const other = postgres(world.url, { max: 1 });
  const begun: Promise<unknown>[] = [];
  await other.begin(async (tx) => {
    await tx`select from collections where id = ${collection.id} for update`;
    for (const change of changes) {
      const changing = change();
      changing.catch(() => undefined);
      begun.push(changing);
      await expect
        .poll(
          async () => {
            const [row] = await tx`select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`;
            return row?.['count'];
          },
          { interval: 5, timeout: 10_000 },
        )
        .toBe(begun.length);
    }
  });
  await other.end();
  return await Promise.all(begun);
}

test('of two updates of other fields both are there', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch' });
  await amid(
    () => write(one, 'update', { id: 'a', title: 'lamp' }),
    () => write(two, 'update', { id: 'a', price: 2 }),
  );
  expect(await stored()).toEqual({ id: 'a', title: 'lamp', price: 2 });
});

test('updates of one document through both, again and again, leave each field as it was answered last', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch' });
  const writing = async (by: Indexes, field: string) => {
    for (let i = 1; i <= 20; i += 1) await write(by, 'update', { id: 'a', [field]: i });
  };
  await Promise.all([writing(one, 'left'), writing(two, 'right')]);
  expect(await stored()).toEqual({ id: 'a', title: 'torch', left: 20, right: 20 });
});

test('an update that another server comes before again and again goes in while that waits', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch' });
  // The second server is in no transaction of the first.
  const outside = AsyncLocalStorage.snapshot();
  let times = 0;
  let last: Promise<unknown> = Promise.resolve();
  asked = () => {
    times += 1;
    last = outside(() => write(two, 'update', { id: 'a', price: times }));
    gate = times < 4 ? last.then(() => undefined) : Promise.resolve();
  };
  try {
    await write(one, 'update', { id: 'a', title: 'lamp' });
  } finally {
    asked = () => undefined;
    gate = Promise.resolve();
  }
  await last;
  expect(times).toBe(4);
  expect(await stored()).toEqual({ id: 'a', title: 'lamp', price: 4 });
});

test('of two writes in the place of one version one goes in', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch' });
  const version = asRead(await one.getVersion(collection, { id: 'a' })).version;
  const answered = codeOf(
    amid(
      () => write(one, 'upsert', { id: 'a', title: 'lamp' }, { ifVersion: version }),
      () => write(two, 'upsert', { id: 'a', title: 'candle' }, { ifVersion: version }),
    ),
  );
  expect(await answered).toBe('CONFLICT');
  expect(await stored()).toEqual({ id: 'a', title: 'candle' });
});

test('an update of what is deleted meanwhile does not bring it back', async () => {
  await write(two, 'upsert', { id: 'a', title: 'torch' });
  const answered = codeOf(
    amid(
      () => write(one, 'update', { id: 'a', title: 'lamp' }),
      () => two.delete(collection, 'a'),
    ),
  );
  expect(await answered).toBe('NOT_FOUND');
  expect(await stored()).toBeNull();
});

test('an update of what is replaced meanwhile changes what is there then', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch', old: 1 });
  await amid(
    () => write(one, 'update', { id: 'a', title: 'lamp' }),
    () => write(two, 'upsert', { id: 'a', text: 'new' }),
  );
  expect(await stored()).toEqual({ id: 'a', title: 'lamp', text: 'new' });
});

test('what was not there and is created meanwhile is merged into', async () => {
  await amid(
    () => write(one, 'emplace', { id: 'a', title: 'lamp' }),
    () => write(two, 'create', { id: 'a', price: 2 }),
  );
  expect(await stored()).toEqual({ id: 'a', title: 'lamp', price: 2 });
});

test('rows of an import merge into what is there when they are written', async () => {
  for (const id of ['a', 'b', 'c']) await write(one, 'upsert', { id, title: 'torch' });
  const rows = ['a', 'b', 'c'].map((id) => ({ id, title: 'lamp' }));
  const upload = () => collect(one.import(collection, { action: 'update', rows: rowsOf(rows) }));
  const results = await amid(upload, () => write(two, 'update', { id: 'b', price: 2 }));
  expect(results.map(({ success }) => success)).toEqual([true, true, true]);
  expect(await stored('a')).toEqual({ id: 'a', title: 'lamp' });
  expect(await stored('b')).toEqual({ id: 'b', title: 'lamp', price: 2 });
});

test('a change of all that pass a filter keeps what is changed meanwhile, and leaves alone what passes no longer', async () => {
  for (const id of ['a', 'b', 'c']) await write(one, 'upsert', { id, title: 'torch', colour: 'red' });
  const counted: number[] = [];
  const change = { filterBy: 'colour:=red', before: async (count: number) => void counted.push(count) };
  const changed = await amid(
    () => one.mergeByFilter(collection, change, { title: 'lamp' }),
    async () => {
      await write(two, 'update', { id: 'a', price: 2 });
      await write(two, 'update', { id: 'b', colour: 'blue' });
      await two.delete(collection, 'c');
      // As an index in a cluster would have it.
      regain();
    },
  );
  expect(changed).toBe(1);
  expect(counted).toEqual([3]);
  expect(await stored('a')).toEqual({ id: 'a', title: 'lamp', colour: 'red', price: 2 });
  expect(await stored('b')).toEqual({ id: 'b', title: 'torch', colour: 'blue' });
  expect(await stored('c')).toBeNull();
});

test('the bytes and counts of a collection are those of its documents, however its writers waited for each other', async () => {
  await write(one, 'upsert', { id: 'a', title: 'torch' });
  const text = (length: number) => ({ id: 'a', title: 'x'.repeat(length) });
  await atOnce([() => write(one, 'upsert', text(1_000)), () => write(two, 'upsert', text(10))]);
  await atOnce([
    () => write(two, 'upsert', { id: 'b', title: 'x'.repeat(500) }),
    () => write(one, 'upsert', { id: 'b', title: 'lamp' }),
  ]);
  await atOnce([() => two.delete(collection, 'b'), () => write(one, 'upsert', { id: 'b', title: 'candle' })]);
  const [row] = await world.record.sql`
    select document_bytes::int as noted, document_count as count, (
      select sum(octet_length(source))::int from documents where collection_id = collections.id
    ) as there from collections where id = ${collection.id}`;
  expect(row).toEqual({ noted: row?.['there'], there: row?.['there'], count: 2 });
});

test('a write of a server that has not heard of a move to another model has vectors of that', async () => {
  const { sql } = world.record;
  for (const action of ['upsert', 'emplace'] as const) {
    await write(one, action, { id: 'a', title: 'torch' });
    await sql`update collections set model = 'openai:m' where id = ${collection.id}`;
    await write(one, action, { id: 'a', title: 'lamp' });
    const [row] = await sql`select model_id from documents where collection_id = ${collection.id}`;
    expect(row?.['model_id']).toBe('pending');
    collection = await world.newCollection({ dimension: 8 });
  }
});
