import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { AppError } from '#server/errors.ts';
import { createLog } from '#server/log.ts';
import { databases } from '#server/testing/databases.ts';
import { measuredSql } from '#server/testing/measured-sql.ts';
import {
  asRead,
  collect,
  exported,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  shownHits,
} from '#server/testing/open-indexes.ts';
import { buildPlantedThread } from '#server/testing/planted-thread.ts';
import type { ImportResult } from '#shared/documents.ts';
import { createWorkerHost } from './host/worker-host.ts';
import type { Indexes, WritableCollection } from './indexes.ts';
import { ByteBudget } from './write/byte-budget.ts';

describe.each(databases)('documents on the %s database', (kind) => {
  let world: IndexesWorld;
  let indexes: Indexes;

  beforeAll(async () => {
    world = await openIndexesWorld(kind);
    indexes = world.openIndexes();
  });
  afterAll(() => world.close());

  const idsFound = async (collection: WritableCollection, query: string) =>
    shownHits(await indexes.search(collection, parameters({ query })))
      .map((hit) => hit.id)
      .sort();
  const importAll = (
    collection: WritableCollection,
    values: unknown[],
    action: 'create' | 'upsert' | 'update' | 'emplace' = 'upsert',
  ) => collect(indexes.import(collection, { action, rows: rowsOf(values) }));
  const brief = (results: ImportResult[]) =>
    results.map(({ id, success, code }) => (success ? id : `${id} ${code}`));
  const countOf = async (collection: WritableCollection) => {
    const [row] = await world.record
      .sql`select document_count, version from collections where id = ${collection.id}`;
    return { count: Number(row?.['document_count']), version: Number(row?.['version']) };
  };

  it('exports, and deletes by a filter, part by part as it does at once', async () => {
    const collection = await world.newCollection();
    const values = ['a', 'B', 'é', '10', '9', 'z'].map((id) => ({ id, kind: id === 'z' ? 'other' : 'same' }));
    await importAll(collection, values);
    const idsOf = (documents: { id: string }[]) => documents.map(({ id }) => id);
    for (const idsAtOnce of [1, 2, 3, 5, 6, 7]) {
      const parted = world.openIndexes({ idsAtOnce });
      expect(idsOf(await exported(parted, collection))).toEqual(['10', '9', 'B', 'a', 'z', 'é']);
      expect(idsOf(await exported(parted, collection, 'kind:other'))).toEqual(['z']);
    }
    expect(
      await world.openIndexes({ idsAtOnce: 2 }).deleteByFilter(collection, { filterBy: 'kind:same' }),
    ).toBe(5);
    expect(await countOf(collection)).toMatchObject({ count: 1 });
  });

  it('deletes by a filter what was found, but not what was written since', async () => {
    const collection = await world.newCollection();
    await importAll(
      collection,
      ['a', 'b', 'c'].map((id) => ({ id, kind: 'same' })),
    );
    const before = async (count: number) => {
      expect(count).toBe(3);
      await indexes.write(collection, { action: 'upsert', document: { id: 'b', kind: 'other' } });
    };
    expect(await indexes.deleteByFilter(collection, { filterBy: 'kind:same', before })).toBe(2);
    expect(await idsFound(collection, '*')).toEqual(['b']);
    expect(await countOf(collection)).toMatchObject({ count: 1 });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(indexes.deleteByFilter(collection, { filterBy: 'kind:other' }, gone)).rejects.toThrow(
      'gone',
    );
    expect(await countOf(collection)).toMatchObject({ count: 1 });
  });

  it('does what each action says where the id is taken and where it is free', async () => {
    const collection = await world.newCollection();
    const write = async (
      action: 'create' | 'upsert' | 'update' | 'emplace',
      document: Record<string, unknown>,
    ) => asRead(await indexes.write(collection, { action, document }));
    expect(await write('create', { id: 'a', title: 'one', deep: { x: 1, y: [1, 2] } })).toMatchObject({
      created: true,
    });
    await expect(write('create', { id: 'a', title: 'two' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await write('update', { id: 'a', deep: { y: [3], z: null } })).document).toEqual({
      id: 'a',
      title: 'one',
      deep: { x: 1, y: [3], z: null },
    });
    await expect(write('update', { id: 'b', title: 'two' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await write('emplace', { id: 'b', title: 'two' })).toMatchObject({ created: true });
    expect((await write('emplace', { id: 'b', year: 2 })).document).toEqual({
      id: 'b',
      title: 'two',
      year: 2,
    });
    expect(await write('upsert', { id: 'a', name: 'three' })).toEqual({
      document: { id: 'a', name: 'three' },
      created: false,
    });
    expect(asRead(await indexes.get(collection, { id: 'a', withEmbedding: false }))).toEqual({
      id: 'a',
      name: 'three',
    });
    expect((await countOf(collection)).count).toBe(2);
    const many = (name: string) =>
      Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`${name}${i}`, i]));
    await write('emplace', { id: 'many', ...many('a') });
    await expect(write('emplace', { id: 'many', ...many('b') })).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
    });
  });

  it('shows every answered write to the next search, and no deleted document', async () => {
    const collection = await world.newCollection();
    for (let round = 0; round < 20; round++) {
      await indexes.write(collection, {
        action: 'upsert',
        document: { id: `r${round}`, title: `word${round} same` },
      });
      expect(await idsFound(collection, `word${round}`)).toEqual([`r${round}`]);
    }
    await indexes.delete(collection, 'r3');
    expect(await idsFound(collection, 'word3')).not.toContain('r3');
    await expect(indexes.delete(collection, 'r3')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(indexes.get(collection, { id: 'r3', withEmbedding: false })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await indexes.deleteByFilter(collection, { filterBy: 'id:[r4, r5, nobody]' })).toBe(2);
    expect((await countOf(collection)).count).toBe(17);
    expect((await indexes.list(collection, listPage())).found).toBe(17);
  });

  it('lets the last of equal ids in an upload win, and reports both lines', async () => {
    const collection = await world.newCollection();
    const results = await importAll(collection, [
      { id: 1, title: 'first' },
      { id: '2', title: 'other' },
      { id: '1', title: 'second' },
    ]);
    expect(results.map(({ index, id, success }) => [index, id, success])).toEqual([
      [0, '1', true],
      [1, '2', true],
      [2, '1', true],
    ]);
    expect(asRead(await indexes.get(collection, { id: '1', withEmbedding: false }))).toEqual({
      id: '1',
      title: 'second',
    });
    expect((await countOf(collection)).count).toBe(2);
  });

  it('treats equal ids in one upload as if they had come one by one, whatever the action', async () => {
    const collection = await world.newCollection();
    const twice = [
      { id: 'x', a: 1 },
      { id: 'x', b: 2 },
    ];
    expect(brief(await importAll(collection, twice, 'update'))).toEqual(['x NOT_FOUND', 'x NOT_FOUND']);
    expect(brief(await importAll(collection, twice, 'create'))).toEqual(['x', 'x CONFLICT']);
    expect(brief(await importAll(collection, twice, 'emplace'))).toEqual(['x', 'x']);
    expect(asRead(await indexes.get(collection, { id: 'x', withEmbedding: false }))).toEqual({
      id: 'x',
      a: 1,
      b: 2,
    });
  });

  it('reports each bad row in its place and stores the others', async () => {
    const collection = await world.newCollection();
    const results = await importAll(collection, [
      { id: 'good', title: 'kept' },
      '{"id": "broken", ',
      '[1, 2]',
      { id: 2 ** 60, title: 'too large an id' },
      { id: '', title: 'empty id' },
      { id: 'e', embedding: [1, 2] },
      { title: 'no id' },
    ]);
    expect(results.map(({ success }) => success)).toEqual([true, false, false, false, false, false, true]);
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(results[1]?.error).toMatch(/position/);
    expect(results[5]).toMatchObject({ id: 'e', code: 'BAD_REQUEST' });
    expect((await countOf(collection)).count).toBe(2);
  });

  it('imports the same rows again without a trace but the version', async () => {
    const collection = await world.newCollection();
    const rows = Array.from({ length: 300 }, (_, i) => ({ id: `d${i}`, title: `Title ${i}`, n: i }));
    expect((await importAll(collection, rows)).every(({ success }) => success)).toBe(true);
    const before = await exported(indexes, collection);
    const first = await countOf(collection);
    await importAll(collection, rows);
    const second = await countOf(collection);
    expect(second.count).toBe(300);
    expect(second.version).toBeGreaterThan(first.version);
    expect(await exported(indexes, collection)).toEqual(before);
    expect(before).toHaveLength(300);
  });

  it('holds no more rows than it may, however slowly they are taken', async () => {
    const collection = await world.newCollection();
    let read = 0;
    async function* endless() {
      for (let index = 0; index < 5_000; index++) {
        read += 1;
        yield { index, text: JSON.stringify({ id: `n${index}`, title: 'x'.repeat(1_000) }) };
      }
    }
    const results = indexes.import(collection, { action: 'upsert', rows: endless() })[Symbol.asyncIterator]();
    for (let taken = 1; taken <= 1_000; taken++) {
      await results.next();
      expect(read - taken).toBeLessThanOrEqual(128 * 5 + 1);
    }
    await results.return?.();
  });

  it('holds what all imports may hold together, however many there are, and all their rows go in', async () => {
    const bytesMax = 3 * 1024 * 1024;
    const importBudget = new ByteBudget(bytesMax);
    const budgeted = world.openIndexes({ importBudget });
    const collections = await Promise.all(
      Array.from({ length: 6 }, () => world.newCollection({ dimension: 2_048 })),
    );
    const values = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, title: `robot ${i}` }));
    let most = 0;
    const outcomes = await Promise.all(
      collections.map(async (collection) => {
        let succeeded = 0;
        for await (const { success } of budgeted.import(collection, {
          action: 'upsert',
          rows: rowsOf(values),
        })) {
          most = Math.max(most, importBudget.heldBytes);
          if (success) succeeded += 1;
        }
        return succeeded;
      }),
    );
    expect(outcomes).toEqual(collections.map(() => values.length));
    expect(most).toBeLessThanOrEqual(bytesMax);
    expect(importBudget.heldBytes).toBe(0);
  });

  it('merges into no more at once than it may read, and in the order of the upload', async () => {
    const collection = await world.newCollection({ dimension: 2 });
    const large = Array.from({ length: 12 }, (_, i) => ({
      id: `d${i}`,
      text: 'x'.repeat(700_000),
      embedding: [1, i],
    }));
    let statements = 0;
    let mostBytes = 0;
    const bulkSql = measuredSql(world.record.bulkSql, (bytes) => {
      statements += 1;
      mostBytes = Math.max(mostBytes, bytes);
    });
    const measured = { ...world.record, as: () => ({ ...world.record, bulkSql }) };
    const merging = world.openIndexes({ record: measured });
    await collect(merging.import(collection, { action: 'upsert', rows: rowsOf(large) }));
    expect(statements).toBeGreaterThan(0);
    const small = Array.from({ length: 120 }, (_, i) => ({ id: `s${i}`, embedding: [1, i] }));
    const changes = (n: number) => large.map(({ id }) => ({ id, n, [`n${n}`]: true }));
    const rows = rowsOf([...changes(1), ...small, ...changes(2)]);
    const results = await collect(merging.import(collection, { action: 'emplace', rows }));
    expect(results.filter(({ success }) => !success)).toEqual([]);
    for (const { id, text } of large) {
      const [document] = await merging.read(collection, { call: 'documents', ids: [id], withVectors: false });
      expect(JSON.parse(Buffer.from(document?.source ?? []).toString())).toEqual({
        id,
        text,
        n: 2,
        n1: true,
        n2: true,
      });
    }
    expect(mostBytes).toBeGreaterThan(1_400_000);
    expect(mostBytes).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it("keeps the caller's own vectors, and embeds again when the text changes", async () => {
    const collection = await world.newCollection({ dimension: 3 });
    await indexes.write(collection, {
      action: 'upsert',
      document: { id: 'own', title: 'x', embedding: [3, 0, 4] },
    });
    const own = asRead(await indexes.get(collection, { id: 'own', withEmbedding: true }));
    expect(own).toEqual({
      id: 'own',
      title: 'x',
      embedding: [expect.closeTo(3, 6), 0, expect.closeTo(4, 6)],
    });
    await indexes.write(collection, { action: 'update', document: { id: 'own', title: 'another text' } });
    expect(asRead(await indexes.get(collection, { id: 'own', withEmbedding: true }))['embedding']).toEqual(
      own['embedding'],
    );
    await indexes.write(collection, { action: 'upsert', document: { id: 'made', title: 'ocean' } });
    const made = asRead(await indexes.get(collection, { id: 'made', withEmbedding: true }));
    await indexes.write(collection, { action: 'update', document: { id: 'made', year: 5 } });
    expect(asRead(await indexes.get(collection, { id: 'made', withEmbedding: true }))['embedding']).toEqual(
      made['embedding'],
    );
    await indexes.write(collection, { action: 'update', document: { id: 'made', title: 'mountain' } });
    expect(
      asRead(await indexes.get(collection, { id: 'made', withEmbedding: true }))['embedding'],
    ).not.toEqual(made['embedding']);
  });

  it('embeds a document again when its text changed, and only then', async () => {
    const embedded: string[] = [];
    const embedder: Embedder = {
      ...world.embedder,
      embedDocuments(task, signal) {
        embedded.push(...task.texts.map(({ title }) => title));
        return world.embedder.embedDocuments(task, signal);
      },
    };
    const counting = world.openIndexes({ embedder });
    const collection = await world.newCollection();
    const films = (salt: string) =>
      Array.from({ length: 200 }, (_, i) => ({ id: `f${i}`, title: `Film ${i}${i === 7 ? salt : ''}`, i }));
    const upload = (salt: string) =>
      collect(counting.import(collection, { action: 'upsert', rows: rowsOf(films(salt)) }));
    await upload('');
    expect(embedded).toHaveLength(200);
    const vectorOf = async (id: string) =>
      asRead(await counting.get(collection, { id, withEmbedding: true })).embedding;
    const [kept, changed] = [await vectorOf('f6'), await vectorOf('f7')];
    embedded.length = 0;
    await upload(' of the river');
    expect(embedded).toEqual(['Film 7 of the river']);
    expect(await vectorOf('f6')).toEqual(kept);
    expect(await vectorOf('f7')).not.toEqual(changed);

    // A vector that its caller sent says nothing of the text.
    const own = { id: 'f6', title: 'Film 6', i: 6, embedding: Array.from({ length: 384 }, () => 1) };
    await counting.write(collection, { action: 'upsert', document: own });
    embedded.length = 0;
    await upload(' of the river');
    expect(embedded).toEqual(['Film 6']);
    expect(await vectorOf('f6')).toEqual(kept);
  });

  it('stores a document of usual length in one piece, neither compressed nor parted', async () => {
    const collection = await world.newCollection();
    const text = 'A town by the sea, a letter that was never sent. '.repeat(24);
    const bytesBeside = async () => {
      const [row] = await world.record
        .sql`select pg_relation_size(reltoastrelid) as bytes from pg_class where oid = 'documents'::regclass`;
      return Number(row?.['bytes']);
    };
    const before = await bytesBeside();
    await importAll(
      collection,
      Array.from({ length: 40 }, (_, i) => ({ id: `p${i}`, text })),
    );
    const [stored] = await world.record
      .sql`select min(pg_column_size(source)) as bytes from documents where collection_id = ${collection.id}`;
    expect(Number(stored?.['bytes'])).toBeGreaterThan(text.length);
    expect(await bytesBeside()).toBe(before);
  });

  it('embeds a document that is sent alone beside asking for it, and does not need it where it is stored', async () => {
    let refuses = false;
    const embedder: Embedder = {
      ...world.embedder,
      embedDocuments: (task, signal) =>
        refuses
          ? Promise.reject(new AppError('UNAVAILABLE', 'no turn'))
          : world.embedder.embedDocuments(task, signal),
    };
    const own = world.openIndexes({ embedder });
    const collection = await world.newCollection();
    const write = (title: string) =>
      own.write(collection, { action: 'upsert', document: { id: 'f', title } });
    await write('Film');
    refuses = true;
    expect(await write('Film')).toMatchObject({ created: false });
    await expect(write('Another film')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const { embedding, title } = asRead(await own.get(collection, { id: 'f', withEmbedding: true }));
    expect(embedding).toHaveLength(384);
    expect(title).toBe('Film');
  });

  it('takes vector_query in its three forms to the same neighbours', async () => {
    const collection = await world.newCollection({ dimension: 2 });
    await importAll(collection, [
      { id: 'east', embedding: [1, 0] },
      { id: 'north', embedding: [0, 1] },
      { id: 'west', embedding: [-1, 0] },
    ]);
    const found = async (vector_query: unknown) =>
      shownHits(await indexes.search(collection, parameters({ mode: 'vector', vector_query, k: 2 }))).map(
        (hit) => hit.id,
      );
    expect(await found([1, 0.1])).toEqual(['east', 'north']);
    expect(await found({ vector: [1, 0.1], k: 1 })).toEqual(['east']);
    expect(await found('embedding:([1, 0.1], k:3)')).toEqual(['east', 'north', 'west']);
    expect(await found('embedding:([1, 0.1], k:3, distance_threshold: 0.5)')).toEqual(['east']);
    await expect(found([1, 2, 3])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'vector_query' }],
    });
    const similar = async (given: object) =>
      (await indexes.similar(collection, { id: 'east', ...given })).hits.parse().map((hit) => hit.id);
    expect(await similar({ k: 1 })).toEqual(['north']);
    expect(await similar({ distance_threshold: 1.5 })).toEqual(['north']);
    // In place of a vector a document, which is not like itself.
    expect(await found({ id: 'east' })).toEqual(['north', 'west']);
    expect(await found('embedding:([], id:"north", k:1)')).toEqual(['east']);
    expect(await found({ id: 'west', distance_threshold: 1.5 })).toEqual(['north']);
    await expect(found({ id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(found({ id: 'east', vector: [1, 0] })).rejects.toMatchObject({
      details: [{ path: 'vector_query', message: expect.stringContaining('not both') }],
    });
    const { changes } = await indexes.explain(collection, {
      ...parameters({ mode: 'vector', vector_query: { id: 'east', k: 1 } }),
      id: 'west',
    });
    expect(changes).toEqual([{ parameter: 'vector_query', value: { id: 'east', k: 2 } }]);
  });

  it('embeds the fields that its metadata names, and no others', async () => {
    const metadata = { embed: { fields: ['plot'] } };
    const collection = await world.newCollection({ metadata });
    await importAll(collection, [
      { id: 'a', plot: 'A robot learns to love', notes: 'cooking pasta with tomatoes' },
      { id: 'b', plot: 'A chef opens a small restaurant', notes: 'robots and machines' },
      { id: 'c', notes: 'robots and machines' },
    ]);
    const search = parameters({ mode: 'vector', query: 'robots', k: 3 });
    const hits = shownHits(await indexes.search(collection, search));
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'b']);
  });

  it('says where a filter, a sort or a facet is wrong', async () => {
    const collection = await world.newCollection();
    await indexes.write(collection, { action: 'upsert', document: { id: 'a', year: 1 } });
    const search = (given: Record<string, unknown>) => indexes.search(collection, parameters(given));
    const badRequest = (path: string, position: number) => ({
      code: 'BAD_REQUEST',
      details: [{ path, position }],
    });
    await expect(search({ filter_by: 'year:>' })).rejects.toMatchObject(badRequest('filter_by', 6));
    await expect(search({ filter_by: 'nope:1' })).rejects.toMatchObject(badRequest('filter_by', 0));
    await expect(search({ sort_by: 'year:up' })).rejects.toMatchObject(badRequest('sort_by', 5));
    await expect(search({ facet_by: 'year(low' })).rejects.toMatchObject({ details: [{ path: 'facet_by' }] });
    await expect(search({ page: 1_001 })).rejects.toMatchObject({ details: [{ path: 'page' }] });
    expect(shownHits(await search({ page: 1_000 }))).toEqual([]);
  });

  it('keeps versions and counts right while the collection is renamed', async () => {
    const collection = await world.newCollection();
    const { sql } = world.record;
    const renames = (async () => {
      for (let i = 0; i < 60; i++)
        await sql`update collections set name = ${`renamed ${i}`} where id = ${collection.id}`;
    })();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        indexes.write(collection, { action: 'upsert', document: { id: `d${i % 20}`, n: i } }),
      ),
    );
    await renames;
    expect(await countOf(collection)).toEqual({ count: 20, version: 60 });
    expect((await indexes.list(collection, listPage())).found).toBe(20);
  });

  it('refuses writes to a deleted collection and leaves nothing behind', async () => {
    const collection = await world.newCollection();
    await world.record.sql`update collections set deleted_at = now() where id = ${collection.id}`;
    await expect(
      indexes.write(collection, { action: 'upsert', document: { id: 'a' } }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const rows = await world.record.sql`select 1 from documents where collection_id = ${collection.id}`;
    expect(rows).toHaveLength(0);
  });

  it('lets a collection rest that has ended its thread twice, until it is repaired, and all others go on', async () => {
    const [hurt, other] = [await world.newCollection(), await world.newCollection()];
    for (const collection of [hurt, other]) await importAll(collection, [{ id: 'a', title: 'One story' }]);
    const planted = await buildPlantedThread();
    const log = createLog('silent');
    const { startWorker, ticker } = planted;
    const host = createWorkerHost({ workers: 1, log, budgetMs: 60_000, ticker, startWorker });
    const threaded = world.openIndexes({ host });
    const search = (collection: typeof hurt, query: string) =>
      threaded.search(collection, { ...parameters({ query }), mode: 'keyword' });
    const unavailable = (message: string) => ({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(message),
      retryAfterSeconds: expect.any(Number),
    });
    try {
      for (let i = 0; i < 2; i += 1) {
        const ended = unavailable('ended while it was at work for this collection');
        await expect(search(hurt, 'a step without end')).rejects.toMatchObject(ended);
        expect((await search(other, 'story')).found).toBe(1);
      }
      const document = { id: 'b', title: 'Another story' };
      const rests = unavailable('rests until it is repaired');
      await expect(search(hurt, 'story')).rejects.toMatchObject(rests);
      await expect(threaded.write(hurt, { action: 'upsert', document })).rejects.toMatchObject(rests);
      await threaded.write(other, { action: 'upsert', document });
      expect((await search(other, 'story')).found).toBe(2);
      expect(await threaded.repair(hurt)).toEqual({ documents: 1 });
      await threaded.write(hurt, { action: 'upsert', document });
      expect((await search(hurt, 'story')).found).toBe(2);
    } finally {
      await host.stop();
      await planted.remove();
    }
  });

  it("answers from a thread what it answers in this one, and survives the thread's end", async () => {
    const collection = await world.newCollection();
    await importAll(
      collection,
      Array.from({ length: 50 }, (_, i) => ({ id: `t${i}`, title: `Thread ${i} story` })),
    );
    const search = parameters({ query: 'story', filter_by: 'id:[t1, t2, t3]', facet_by: 'title' });
    const hybrid = async (from: typeof indexes) => {
      const {
        search_time_ms: _,
        timings: __,
        ...answer
      } = asRead(await from.search(collection, { ...search, mode: 'hybrid' }));
      return answer;
    };
    const expected = await hybrid(indexes);
    const log = createLog('silent');
    const host = createWorkerHost({ workers: 2, log, budgetMs: 60_000 });
    const threaded = world.openIndexes({ host });
    expect(await hybrid(threaded)).toEqual(expected);
    await expect(threaded.search(collection, parameters({ filter_by: 'a:' }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    // The thread ends: everything it held is opened again on the next use.
    await host.stop();
    expect(await hybrid(threaded)).toEqual(expected);
    await host.stop();
    expect(asRead(await threaded.delete(collection, 't1'))).toEqual({ id: 't1', title: 'Thread 1 story' });
    await host.stop();
    expect(await threaded.deleteByFilter(collection, { filterBy: 'id:[t2, t3]' })).toBe(2);
    await host.stop();
    await threaded.write(collection, { action: 'upsert', document: { id: 't2', title: 'Back story' } });
    expect(shownHits(await threaded.search(collection, search)).map(({ id }) => id)).toEqual(['t2']);
  });
});

function listPage() {
  return {
    page: 1,
    perPage: 10,
    filterBy: undefined,
    sortBy: undefined,
    includeFields: undefined,
    excludeFields: undefined,
  };
}
