import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
} from '#server/testing/open-indexes.ts';
import { watchedHost } from '#server/testing/watched-host.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';
import { allDocuments, documentsSince } from './rows.ts';

/** An index is a function of the record: however it came to be open, it answers the same. */
describe.each(databases)('restoring an index on the %s database', (kind) => {
  let world: IndexesWorld;

  beforeAll(async () => {
    world = await openIndexesWorld(kind);
  });
  afterAll(() => world.close());

  const words = ['river', 'stone', 'engine', 'garden', 'signal', 'winter', 'copper', 'harbour'];
  const film = (i: number, salt = '') => ({
    id: `f${i}`,
    title: `${words[i % 8]} ${words[(i * 5 + 3) % 8]} ${salt}`,
    text: `A ${words[(i * 3) % 8]} near the ${words[(i + 1) % 8]}, number ${i}`,
    year: 1900 + (i % 100),
    isNew: i % 3 === 0,
  });

  /** Everything a caller can see of a collection. */
  async function view(indexes: Indexes, collection: WritableCollection) {
    const answers = [];
    for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
      for (const query of ['river stone', 'engine in winter', 'harbour']) {
        const search = parameters({
          mode,
          query,
          filter_by: 'year:>1910',
          facet_by: 'year,isNew',
          per_page: 50,
        });
        const { search_time_ms: _, timings: __, ...answer } = await indexes.search(collection, search);
        answers.push(answer);
      }
    }
    return {
      answers,
      documents: await exported(indexes, collection),
      fields: (await indexes.read(collection, { call: 'fields' })).sort((a, b) => (a.path < b.path ? -1 : 1)),
      vector: asRead(await indexes.get(collection, { id: 'f7', withEmbedding: true })),
    };
  }

  /** 400 films, some replaced, some deleted, some back. */
  async function filled(indexes: Indexes, dimension = 384): Promise<WritableCollection> {
    const collection = await world.newCollection({ dimension });
    await collect(
      indexes.import(collection, {
        action: 'upsert',
        rows: rowsOf(Array.from({ length: 400 }, (_, i) => film(i))),
      }),
    );
    await indexes.deleteByFilter(collection, { filterBy: 'year:[1920..1930]' });
    await collect(
      indexes.import(collection, { action: 'upsert', rows: rowsOf([film(25, 'back'), film(7, 'changed')]) }),
    );
    return collection;
  }

  it('reads large documents that follow small ones a few megabytes at a time', async () => {
    const collection = await world.newCollection();
    const sizes = [...Array.from({ length: 40 }, () => 10), ...Array.from({ length: 6 }, () => 1_500_000)];
    sizes.push(4 * 1024 * 1024, 10);
    const ids = sizes.map((_, i) => `d${String(i).padStart(2, '0')}`);
    await world.record.sql`
      insert into documents (collection_id, id, version, source, content_hash, model_id, vectors, spans)
      select ${collection.id}, id, 1, repeat('x', size), ''::bytea, null, '\\x0000803f'::bytea, '{}'
      from unnest(${ids}::text[], ${sizes}::int[]) as rows(id, size)`;
    for (const read of [allDocuments, (sql: Sql, id: number) => documentsSince(sql, id, 0)]) {
      let mostBytes = 0;
      const sql = measuredSql(world.record.sql, (bytes) => {
        mostBytes = Math.max(mostBytes, bytes);
      });
      const pages = await collect(read(sql, collection.id));
      expect(pages.flat().map(({ id, source }) => [id, source.length])).toEqual(
        ids.map((id, i) => [id, sizes[i]]),
      );
      expect(mostBytes).toBe(4 * 1024 * 1024);
      expect(pages.length).toBeLessThan(8);
    }
  });

  /** What a server that rebuilds from the record alone would answer. */
  async function fromRecord(collection: WritableCollection) {
    const files = await snapshotsOf(collection);
    for (const file of files) await rename(file, `${file}.aside`);
    const indexes = world.openIndexes();
    const seen = await view(indexes, collection);
    await indexes.host.stop();
    for (const file of files) await rename(`${file}.aside`, file);
    return seen;
  }

  async function snapshotsOf(collection: WritableCollection): Promise<string[]> {
    const names = await readdir(world.snapshotsDir);
    return names
      .filter((name) => name.startsWith(`${collection.id}-`) && name.endsWith('.snapshot'))
      .map((name) => path.join(world.snapshotsDir, name));
  }

  async function onlySnapshot(collection: WritableCollection): Promise<string> {
    const [file, ...others] = await snapshotsOf(collection);
    if (!file || others.length > 0) throw new Error('there is not exactly one snapshot');
    return file;
  }

  const chunksOf = (file: string) => file.replace(/snapshot$/, 'chunks');

  const prunedVersion = async (collection: WritableCollection) => {
    const [row] = await world.record
      .sql`select version, pruned_version from collections where id = ${collection.id}`;
    return { version: Number(row?.['version']), pruned: Number(row?.['pruned_version']) };
  };

  it('is the same from memory, from its snapshot, from snapshot and replay, and from the rows', async () => {
    const first = world.openIndexes();
    const collection = await filled(first);
    const inMemory = await view(first, collection);
    await first.stop();
    const saved = await prunedVersion(collection);
    expect(saved.pruned).toBe(saved.version);
    const left = await world.record.sql`select 1 from deletions where collection_id = ${collection.id}`;
    expect(left).toHaveLength(0);

    const second = world.openIndexes();
    expect(await view(second, collection)).toEqual(inMemory);
    // Written and deleted after the snapshot, and never saved: the process ends here.
    await second.delete(collection, 'f1');
    await second.write(collection, { action: 'upsert', document: film(1, 'again') });
    await second.delete(collection, 'f2');
    await second.write(collection, { action: 'upsert', document: film(900, 'late') });
    const before = await view(second, collection);

    const third = world.openIndexes();
    expect(await view(third, collection)).toEqual(before);
    expect(await fromRecord(collection)).toEqual(before);
  });

  it('throws away a snapshot that is cut, changed by a bit, empty or missing, and rebuilds the same', async () => {
    const first = world.openIndexes();
    const collection = await filled(first);
    await first.stop();
    const expected = await fromRecord(collection);
    const file = await onlySnapshot(collection);
    const bytes = await readFile(file);
    const damaged: Uint8Array[] = [new Uint8Array(0)];
    for (let i = 0; i < 8; i++) damaged.push(bytes.subarray(0, Math.floor((bytes.length * i) / 8)));
    const flippedOf = (whole: Uint8Array, i: number) => {
      const flipped = Uint8Array.from(whole);
      const at = Math.floor(((whole.length - 1) * i) / 15);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (i % 8));
      return flipped;
    };
    for (let i = 0; i < 16; i++) damaged.push(flippedOf(bytes, i));
    const [name = ''] = await readdir(chunksOf(file));
    const chunk = path.join(chunksOf(file), name);
    const inChunk = await readFile(chunk);
    const cases = [
      ...damaged.map((content) => ({ manifest: content, content: inChunk })),
      ...[inChunk.subarray(0, -1), ...[0, 5, 10, 15].map((i) => flippedOf(inChunk, i))].map((content) => ({
        manifest: bytes,
        content,
      })),
    ];
    for (const { manifest, content } of cases) {
      await writeFile(file, manifest);
      await writeFile(chunk, content);
      const indexes = world.openIndexes();
      const answer = await indexes.search(
        collection,
        parameters({ query: 'river stone', per_page: 50, filter_by: 'year:>1910', facet_by: 'year,isNew' }),
      );
      expect({ ...answer, search_time_ms: 0, timings: [] }).toEqual({
        ...expected.answers[0],
        search_time_ms: 0,
        timings: [],
      });
      await indexes.host.stop();
    }
    expect(
      world.logLines.filter((line) => line.includes('rebuilding from the record')).length,
    ).toBeGreaterThanOrEqual(cases.length);
    // The last was refused and its chunk removed.
    expect(await view(world.openIndexes(), collection)).toEqual(expected);
    await rm(file);
    expect(await view(world.openIndexes(), collection)).toEqual(expected);
  });

  it('rebuilds where a chunk is damaged or missing behind others that were decoded', async () => {
    const first = world.openIndexes();
    const collection = await filled(first, 4_096);
    await first.stop();
    const expected = await fromRecord(collection);
    const file = await onlySnapshot(collection);
    const manifest = await readFile(file, 'latin1');
    const named = Array.from(manifest.matchAll(/"name":"([0-9a-f]{64})"/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of [named[1], named.at(-1)]) {
      const chunk = path.join(chunksOf(file), name ?? expect.fail());
      const bytes = await readFile(chunk);
      for (const end of ['damaged', 'missing']) {
        // The first removes it.
        if (end === 'damaged') await writeFile(chunk, bytes.toReversed());
        const { host, calls } = watchedHost();
        expect(await view(world.openIndexes({ host }), collection)).toEqual(expected);
        expect(calls.filter((call) => call === 'open')).toHaveLength(2);
        const reason = `chunk ${name?.slice(0, 8)} is ${end}`;
        expect(world.logLines.some((line) => line.includes(reason))).toBe(true);
      }
      await writeFile(chunk, bytes);
    }
    const { host, calls } = watchedHost();
    expect(await view(world.openIndexes({ host }), collection)).toEqual(expected);
    expect(calls.filter((call) => call === 'open')).toHaveLength(1);
  });

  it('rebuilds where a snapshot cannot be read, or not be caught up with the record', async () => {
    const first = world.openIndexes();
    const collection = await filled(first);
    await first.stop();
    await world.openIndexes().write(collection, { action: 'upsert', document: film(900, 'late') });
    const expected = await fromRecord(collection);
    const file = await onlySnapshot(collection);

    let applies = 0;
    const { host, calls } = watchedHost((call) => {
      if (call === 'apply' && ++applies === 1) throw new Error('planted');
    });
    expect(await view(world.openIndexes({ host }), collection)).toEqual(expected);
    expect(calls.filter((call) => call === 'open')).toHaveLength(2);

    await truncate(file, 2 ** 31 + 1);
    expect(await view(world.openIndexes(), collection)).toEqual(expected);
    await rm(file);
    await mkdir(file);
    const last = world.openIndexes();
    expect(await view(last, collection)).toEqual(expected);
    await last.write(collection, { action: 'upsert', document: film(901, 'later') });
    expect(asRead(await last.get(collection, { id: 'f901', withEmbedding: false })).id).toBe('f901');
    await rm(file, { recursive: true });
  });

  it("throws away another collection's snapshot", async () => {
    const indexes = world.openIndexes();
    const [one, other] = [await filled(indexes), await world.newCollection()];
    await indexes.write(other, { action: 'upsert', document: film(1) });
    await collect(
      indexes.import(other, {
        action: 'upsert',
        rows: rowsOf(Array.from({ length: 150 }, (_, i) => film(i, 'other'))),
      }),
    );
    await indexes.stop();
    const expected = await fromRecord(one);
    await writeFile(await onlySnapshot(one), await readFile(await onlySnapshot(other)));
    expect(await view(world.openIndexes(), one)).toEqual(expected);
  });

  it('throws away a snapshot that is older than the deletions still known', async () => {
    const first = world.openIndexes();
    const collection = await filled(first);
    await first.stop();
    const file = await onlySnapshot(collection);
    const old = path.join(world.snapshotsDir, 'old');
    await cp(file, path.join(old, 'manifest'), { recursive: true });
    await cp(chunksOf(file), path.join(old, 'chunks'), { recursive: true });
    const second = world.openIndexes();
    await second.deleteByFilter(collection, { filterBy: 'year:>1950' });
    await second.stop();
    await cp(path.join(old, 'manifest'), file);
    await cp(path.join(old, 'chunks'), chunksOf(file), { recursive: true });
    await rm(old, { recursive: true });
    const expected = await fromRecord(collection);
    expect(await view(world.openIndexes(), collection)).toEqual(expected);
    const known = world.logLines.filter((line) => line.includes('deletions since then are no longer known'));
    expect(known.some((line) => line.includes(`"collectionId":${collection.id}`))).toBe(true);
  });

  it('throws away a snapshot that is ahead of the record', async () => {
    const first = world.openIndexes();
    const collection = await filled(first);
    await first.stop();
    await world.record
      .sql`update collections set version = 1, pruned_version = 0 where id = ${collection.id}`;
    await world.record.sql`update documents set version = 1 where collection_id = ${collection.id}`;
    const expected = await fromRecord(collection);
    expect(await view(world.openIndexes(), collection)).toEqual(expected);
  });

  it('clears what an ended process left half-written', async () => {
    const indexes = world.openIndexes();
    const collection = await filled(indexes);
    await indexes.stop();
    const part = `${await onlySnapshot(collection)}.abcd.part`;
    await writeFile(part, 'half');
    const chunks = await readdir(chunksOf(await onlySnapshot(collection)));
    await writeFile(path.join(chunksOf(await onlySnapshot(collection)), 'orphan'), 'half');
    await view(world.openIndexes(), collection);
    expect(await readdir(world.snapshotsDir)).not.toContain(path.basename(part));
    expect(await readdir(chunksOf(await onlySnapshot(collection)))).toEqual(chunks);
  });

  it('forgets the files of a dropped collection', async () => {
    const indexes = world.openIndexes();
    const collection = await filled(indexes);
    await indexes.stop();
    const again = world.openIndexes();
    await again.drop(collection.id);
    expect(
      (await readdir(world.snapshotsDir)).filter((name) => name.startsWith(`${collection.id}-`)),
    ).toEqual([]);
  });
});
