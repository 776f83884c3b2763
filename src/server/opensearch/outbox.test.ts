import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import type { CollectionIndexes } from '#server/indexes/registry/collection-indexes.ts';
import { createLog } from '#server/log.ts';
import { type CutLine, openCutLine } from '#server/testing/cut-line.ts';
import { gate } from '#server/testing/gate.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { DeletionPruner } from './deletion-pruner.ts';
import { readName } from './index-states.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';
import { forgetMended, readLag } from './outbox.ts';
import { writeAliasOf } from './write-alias.ts';

/** Tells what it is asked. */
class WatchedCluster extends Cluster {
  readonly paths: string[] = [];
  onAsk: (path: string) => void = () => undefined;
  /** Waited for before it is asked. */
  before: (path: string) => Promise<void> = async () => undefined;

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    this.paths.push(request.path);
    this.onAsk(request.path);
    await this.before(request.path);
    return await super.ask(request, signal);
  }
}

/** From now on no transaction that says which generation is searched can be committed. */
async function refuseGenerations(sql: IndexesWorld['record']['sql']): Promise<void> {
  await sql.unsafe(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'planted'; end $$`,
  );
  await sql.unsafe(`create constraint trigger refuse after update of generation on search_indexes
    deferrable initially deferred for each row execute function refuse()`);
}

describeWithCluster('what is written', (nodes) => {
  let world: IndexesWorld;
  let collection: WritableCollection;
  let cluster: WatchedCluster;
  let line: CutLine;
  let engine: CollectionIndexes;
  let indexes: Indexes;

  const open = async () => {
    cluster = new WatchedCluster(await clientOf([line.url]));
    const log = createLog('silent');
    const { record } = world;
    return world.openIndexes({
      engineOf(onChanged) {
        engine = new OpenSearchIndexes({ cluster, record, log, onChanged, turnWaitMs: 5_000 });
        return engine;
      },
    });
  };

  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    line = await openCutLine(nodes[0] ?? '');
    indexes = await open();
  });
  beforeEach(async () => {
    const made = await world.newCollection();
    // An account has so many repairs a minute.
    collection = { ...made, for: { ...made.for, tenant: `tenant of ${made.id}` } };
  });
  afterAll(async () => {
    await dropFromCluster(nodes, world.record);
    await world.close();
    await line.close();
  });

  const write = (document: Record<string, unknown>) =>
    indexes.write(collection, { action: 'upsert', document });
  const found = async (q: string, by = indexes): Promise<string[]> => {
    const answer: SearchAnswer = asRead(await by.search(collection, parameters({ q })));
    return answer.hits.map(({ id }) => id);
  };
  const pending = async () =>
    (await world.record.sql`select version from index_outbox where collection_id = ${collection.id}`).length;

  test('is found by the next search, and no refresh is made for what was seen', async () => {
    for (let i = 0; i < 3; i += 1) {
      await write({ id: `d${i}`, title: `torch ${i}` });
      expect(await found('torch')).toHaveLength(i + 1);
    }
    expect(await pending()).toBe(0);
    cluster.paths.length = 0;
    await found('torch');
    expect(cluster.paths.filter((path) => path.endsWith('_refresh'))).toEqual([]);
    await indexes.delete(collection, 'd1');
    expect(await found('torch')).toEqual(['d0', 'd2']);
    await write({ id: 'd0', title: 'lamp' });
    expect(await found('torch')).toEqual(['d2']);
  });

  test('is found by another server, which knows it from the record', async () => {
    await write({ id: 'a', title: 'torch' });
    const other = world.openIndexes(await engineIn(nodes, world.record));
    expect(await found('torch', other)).toEqual(['a']);
    await write({ id: 'b', title: 'torch' });
    expect(await found('torch', other)).toEqual(['a', 'b']);
  });

  test('is deleted by a filter, and merged into', async () => {
    await collect(
      indexes.import(collection, {
        action: 'upsert',
        rows: rowsOf(Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, i }))),
      }),
    );
    expect(await indexes.deleteByFilter(collection, { filterBy: 'i:<10' })).toBe(10);
    expect(await indexes.mergeByFilter(collection, { filterBy: 'i:>=20' }, { title: 'torch' })).toBe(10);
    expect(await found('torch')).toHaveLength(10);
    const rest: SearchAnswer = asRead(await indexes.search(collection, parameters({ q: '*' })));
    expect(rest.found).toBe(20);
  });

  test('is in the index as it was written last, whatever comes when', async () => {
    const versions = Array.from({ length: 20 }, (_, i) => write({ id: 'one', title: `torch edition${i}` }));
    await Promise.all(versions);
    const last = asRead(await indexes.get(collection, { id: 'one', withEmbedding: false }));
    expect(await found(String(last.title).split(' ')[1] ?? '')).toEqual(['one']);
    expect(await pending()).toBe(0);
  });

  test('is stored while the cluster is away, and brought to it by the next search', async () => {
    await write({ id: 'a', title: 'torch' });
    const stored = await withAway(() => write({ id: 'b', title: 'torch' }));
    expect(stored).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('stored') });
    expect(await pending()).toBe(1);
    expect(await found('torch')).toEqual(['a', 'b']);
    expect(await pending()).toBe(0);
  });

  test('is brought to the cluster by whichever server is there, when the writer was killed', async () => {
    await write({ id: 'a', title: 'torch' });
    await write({ id: 'gone', title: 'torch' });
    await withAway(() => write({ id: 'b', title: 'torch' }));
    await withAway(() => indexes.delete(collection, 'gone'));
    // As if it had been a while ago.
    await world.record.sql`update index_outbox set due_at = now() where collection_id = ${collection.id}`;
    const other: CollectionIndexes = new OpenSearchIndexes({
      cluster: new Cluster(await clientOf(nodes)),
      record: world.record,
      log: createLog('silent'),
      onChanged: () => undefined,
    });
    other.tick();
    await expect.poll(pending).toBe(0);
    expect(other.stats().behind?.waiting).toBeGreaterThan(0);
    await other.stop();
    expect(await found('torch')).toEqual(['a', 'b']);
    expect(await readLag(world.record.sql)).toEqual({ waiting: 0, givenUp: 0 });
  });

  test('is refused while a disk of the cluster is full, and searches go on', async () => {
    await write({ id: 'a', title: 'torch' });
    expect(await found('torch')).toEqual(['a']);
    const name = await readName(world.record.sql, collection.id);
    // What the cluster does itself then.
    const block = (isFull: boolean | null) =>
      cluster.ask({
        method: 'PUT',
        path: `/${name}/_settings`,
        body: { 'index.blocks.read_only_allow_delete': isFull },
      });
    await block(true);
    const refusal = async (id: string) => {
      const error: unknown = await write({ id, title: 'torch' }).catch((thrown: unknown) => thrown);
      return error;
    };
    const unavailable = (text: string) => ({ code: 'UNAVAILABLE', message: expect.stringContaining(text) });
    expect(await refusal('b')).toMatchObject(unavailable('is stored'));
    expect(await refusal('c')).toMatchObject(unavailable('nothing was stored'));
    expect(await found('torch')).toEqual(['a']);
    await block(null);
    expect(await found('torch')).toEqual(['a', 'b']);
    await write({ id: 'd', title: 'torch' });
    expect(await found('torch')).toEqual(['a', 'b', 'd']);
  });

  test('is read and searched by an index of the record while the cluster is away, and not written', async () => {
    await write({ id: 'a', title: 'torch', price: 3 });
    await write({ id: 'b', title: 'torch lamp', price: 5 });
    const other = await world.newCollection();
    await indexes.write(other, { action: 'upsert', document: { id: 'c', title: 'torch' } });
    // Through another server that still reaches the cluster.
    const elsewhere = world.openIndexes(await engineIn(nodes, world.record));
    const given = { q: 'torch', facet_by: 'price', filter_by: 'price:>1', sort_by: 'price:desc' };
    const ask = async (more: Record<string, unknown>): Promise<SearchAnswer> =>
      asRead(await indexes.search(collection, parameters({ ...given, ...more })));
    const before = await ask({ cursor: '', per_page: 1 });
    line.isCut = true;
    try {
      expect(asRead(await indexes.get(collection, { id: 'a', withEmbedding: false }))).toMatchObject({
        title: 'torch',
      });
      for (const mode of ['keyword', 'hybrid']) {
        const { hits, facet_counts, request } = await ask({ mode });
        expect(hits.map(({ id }) => id)).toEqual(['b', 'a']);
        expect(facet_counts).toMatchObject([{ counts: [{ count: 1 }, { count: 1 }] }]);
        expect(request.without_cluster).toContain('away');
      }
      await elsewhere.write(collection, {
        action: 'upsert',
        document: { id: 'd', title: 'torch', price: 4 },
      });
      await elsewhere.delete(collection, 'a');
      expect((await ask({})).hits.map(({ id }) => id)).toEqual(['b', 'd']);
      const targets = [collection, other].map((own, index) => ({
        index,
        reference: String(own.id),
        collection: { ...own, name: `c${own.id}` },
        search: parameters({ mode: 'keyword', query: 'torch' }),
      }));
      const { answer } = asRead(await indexes.searchMerged(targets, { page: 1, per_page: 10 }));
      expect([answer.found, answer.request.without_cluster]).toEqual([3, expect.stringContaining('away')]);
      await expect(ask({ filter_by: 'nowhere:1' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await expect(ask({ cursor: before.next_cursor, per_page: 1 })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        retryAfterSeconds: 5,
      });
      await expect(write({ id: 'e' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await pending()).toBe(0);
    } finally {
      line.isCut = false;
    }
    await write({ id: 'e', title: 'torch' });
    expect((await found('torch')).sort()).toEqual(['b', 'd', 'e']);
    expect((await ask({})).request.without_cluster).toBeUndefined();
  });

  test('is brought to an index that stayed whole, after one of the record that had time to be saved has answered', async () => {
    let [time, ticks] = [0, 0];
    const watched = new WatchedCluster(await clientOf([line.url]));
    const log = createLog('silent');
    class TickedIndexes extends OpenSearchIndexes {
      override tick(): void {
        ticks += 1;
      }
    }
    const own = world.openIndexes({
      now: () => time,
      engineOf: (onChanged) =>
        new TickedIndexes({ cluster: watched, record: world.record, log, onChanged, turnWaitMs: 5_000 }),
    });
    const rows = rowsOf(Array.from({ length: 150 }, (_, i) => ({ id: `d${i}`, title: 'torch' })));
    await collect(own.import(collection, { action: 'upsert', rows }));
    for (const by of [own, indexes]) expect(await found('torch', by)).toHaveLength(10);
    await withAway(() => write({ id: 'late', title: 'lamp' }));
    line.isCut = true;
    try {
      expect(await found('lamp', own)).toEqual(['late']);
      time = 10_000;
      const before = ticks;
      await expect.poll(() => ticks, { timeout: 10_000 }).toBeGreaterThan(before + 1);
      expect(await found('lamp', own)).toEqual(['late']);
    } finally {
      line.isCut = false;
    }
    const [row] = await world.record.sql`select pruned_version from collections where id = ${collection.id}`;
    expect(Number(row?.['pruned_version'])).toBe(0);
    watched.paths.length = 0;
    expect(await found('lamp', own)).toEqual(['late']);
    expect(watched.paths).not.toContain('/_aliases');
    await withAway(() => indexes.delete(collection, 'late'));
    expect(await pending()).toBe(1);
    // The further one has it, so that nothing is left to be brought.
    await own.repair(collection);
    expect(await pending()).toBe(0);
    expect(await found('lamp', own)).toEqual([]);
  });

  test('has its deletions forgotten once the cluster has them, and nobody copies the collection', async () => {
    let time = 0;
    const pruner = new DeletionPruner({ record: world.record, log: createLog('silent'), now: () => time });
    const lookLater = async () => {
      time += 600_001;
      await pruner.look();
    };
    const known = async () =>
      (
        await world.record.sql`select id from deletions where collection_id = ${collection.id} order by id`
      ).map(({ id }) => id);
    for (const id of ['a', 'b', 'c']) await write({ id, title: 'torch' });
    await indexes.delete(collection, 'a');
    await withAway(() => indexes.delete(collection, 'b'));
    await lookLater();
    await world.record.servers.alone(`repair ${collection.id}`, lookLater);
    expect(await known()).toEqual(['a', 'b']);
    await lookLater();
    expect(await known()).toEqual(['b']);
    expect(await found('torch')).toEqual(['c']);
    await lookLater();
    expect(await known()).toEqual([]);
    cluster.paths.length = 0;
    await write({ id: 'd', title: 'torch' });
    expect((await found('torch')).toSorted()).toEqual(['c', 'd']);
    expect(cluster.paths).not.toContain('/_aliases');
  });

  test('is counted where the cluster does not take it, until it is written anew or its index is made anew', async () => {
    const { sql } = world.record;
    const givenUp = async () =>
      (
        await sql`select version from index_outbox where collection_id = ${collection.id} and fault is not null`
      ).length;
    await write({ id: 'a', title: 'torch' });
    const name = await readName(sql, collection.id);
    // No vector has room then.
    const limit = (most: number | null) => ({ 'index.mapping.nested_objects.limit': most });
    const refuse = (most: number | null) =>
      cluster.ask({ method: 'PUT', path: `/${name}/_settings`, body: limit(most) });
    await refuse(0);
    const rows = rowsOf([
      { id: 'b', title: 'lamp' },
      { id: 'c', title: 'lamp' },
    ]);
    await collect(indexes.import(collection, { action: 'upsert', rows }));
    expect([await found('lamp'), await pending(), await givenUp()]).toEqual([[], 1, 1]);
    await refuse(null);
    await write({ id: 'b', title: 'lamp again' });
    await forgetMended(sql);
    expect([await found('lamp'), await givenUp()]).toEqual([['b'], 1]);
    await write({ id: 'c', title: 'lamp again' });
    const givenUpLater = () => {
      engine.tick();
      return givenUp();
    };
    await expect.poll(givenUpLater).toBe(0);
    await refuse(0);
    await write({ id: 'd', title: 'torch' });
    expect(await givenUp()).toBe(1);
    await indexes.repair(collection);
    expect([(await found('torch')).toSorted(), await givenUp()]).toEqual([['a', 'd'], 0]);
    const template = `/_index_template/${name}`;
    const body = { index_patterns: [`${name}-*`], template: { settings: limit(0) } };
    await cluster.ask({ method: 'PUT', path: template, body });
    await indexes.repair(collection);
    await cluster.ask({ method: 'DELETE', path: template });
    // Of the copy too.
    expect([await found('torch'), await givenUp()]).toEqual([[], 4]);
    await indexes.repair(collection);
    expect([(await found('torch')).toSorted(), await givenUp()]).toEqual([['a', 'd'], 0]);
  });

  test('is compared with the record', async () => {
    await collect(
      indexes.import(collection, {
        action: 'upsert',
        rows: rowsOf(Array.from({ length: 40 }, (_, i) => ({ id: `d${i}`, title: `torch number ${i}` }))),
      }),
    );
    const same = { missing: [], ghosts: [], stale: [], more: false, scan: 'graph', recall: 1 };
    expect(await indexes.verify(collection)).toEqual({ documents: 40, indexed: 40, ...same });
    // Behind everybody's back: the version of one, and two rows.
    await world.record
      .sql`update documents set version = version + 1 where collection_id = ${collection.id} and id = 'd1'`;
    await world.record.sql`delete from documents where collection_id = ${collection.id} and id = 'd2'`;
    await world.record.sql`insert into documents (collection_id, id, version, source, content_hash)
      values (${collection.id}, 'new', 1, '{"id":"new"}', '')`;
    const other = await world.newCollection();
    await indexes.write(other, { action: 'upsert', document: { id: 'd2' } });
    const differs = { missing: ['new'], ghosts: ['d2'], stale: ['d1'] };
    expect(await indexes.verify(collection)).toMatchObject({ indexed: 40, ...differs });
    await indexes.repair(collection);
    expect(await indexes.verify(collection)).toMatchObject({ ...same, indexed: 40 });
  });

  test('is there after the index was taken away in the cluster, and after a repair', async () => {
    await write({ id: 'a', title: 'torch' });
    await dropFromCluster(nodes, world.record);
    expect(await found('torch')).toEqual(['a']);
    expect(await indexes.repair(collection)).toEqual({ documents: 1 });
    expect(await found('torch')).toEqual(['a']);
  });

  test('is in an index of ours where the cluster makes indexes by itself of what is written, and in one without an alias', async () => {
    await write({ id: 'a', title: 'torch' });
    const name = await readName(world.record.sql, collection.id);
    const makesIndexes = (value: true | null) =>
      cluster.ask({
        method: 'PUT',
        path: '/_cluster/settings',
        body: { transient: { 'action.auto_create_index': value } },
      });
    await makesIndexes(true);
    try {
      for (const change of [
        () => write({ id: 'b', title: 'torch' }),
        () => indexes.delete(collection, 'a'),
      ]) {
        await fetch(`${nodes[0]}/${name}-*`, { method: 'DELETE' });
        await change();
      }
    } finally {
      await makesIndexes(null);
    }
    expect(await found('torch')).toEqual(['b']);
    expect(await indexes.verify(collection)).toMatchObject({
      documents: 1,
      indexed: 1,
      missing: [],
      ghosts: [],
    });
    const all = (await (await fetch(`${nodes[0]}/${name}-*/_alias`)).json()) as Record<string, unknown>;
    expect(Object.keys(all)).toHaveLength(1);
    // As former releases have made it.
    const [index = ''] = Object.keys(all);
    const actions = [{ remove: { index, alias: writeAliasOf(index) } }];
    await cluster.ask({ method: 'POST', path: '/_aliases', body: { actions } });
    const other = world.openIndexes(await engineIn(nodes, world.record));
    await other.write(collection, { action: 'upsert', document: { id: 'c', title: 'torch' } });
    expect((await found('torch', other)).toSorted()).toEqual(['b', 'c']);
  });

  test('is searched on where a repair has led to the new index and the record does not take it', async () => {
    await write({ id: 'a', title: 'torch' });
    expect(await found('torch')).toEqual(['a']);
    const { sql } = world.record;
    await refuseGenerations(sql);
    try {
      await expect(indexes.repair(collection)).rejects.toThrow('planted');
    } finally {
      await sql.unsafe('drop function refuse cascade');
    }
    cluster.paths.length = 0;
    await write({ id: 'b', title: 'torch' });
    expect((await found('torch')).toSorted()).toEqual(['a', 'b']);
    // Nor had it to be made anew.
    expect(cluster.paths).not.toContain('/_aliases');
    expect(await indexes.repair(collection)).toEqual({ documents: 2 });
  });

  test.each(['/_bulk', '/_aliases'])('is copied on when the cluster is away at %s', async (path) => {
    await write({ id: 'a', title: 'torch' });
    const name = await readName(world.record.sql, collection.id);
    await fetch(`${nodes[0]}/${name}-*`, { method: 'DELETE' });
    let asked = 0;
    cluster.onAsk = (now) => {
      if (asked === 0 && now !== path) return;
      // Cut then, and there again for the third request from there.
      asked += 1;
      line.isCut = asked < 3;
    };
    try {
      const answer: SearchAnswer = asRead(await indexes.search(collection, parameters({ q: 'torch' })));
      expect(answer.hits.map(({ id }) => id)).toEqual(['a']);
      expect(answer.request.without_cluster).toBeUndefined();
      expect(asked).toBeGreaterThanOrEqual(3);
    } finally {
      cluster.onAsk = () => undefined;
      line.isCut = false;
    }
  });

  test('is searched by the rules before where the record does not take an index that was read as another language', async () => {
    await write({ id: 'a', title: 'Die Häuser' });
    const exactly = async (q: string) => {
      const asked = parameters({ q, prefix: false, num_typos: 0 });
      const { hits }: SearchAnswer = asRead(await indexes.search(collection, asked));
      return hits.map(({ id }) => id);
    };
    expect([await exactly('häuser'), await exactly('haus')]).toEqual([['a'], []]);
    const { sql } = world.record;
    await sql.unsafe(
      `insert into search_settings (collection_id, settings, bytes) values ($1, '{"language": "de"}', 0)`,
      [collection.id],
    );
    await refuseGenerations(sql);
    try {
      expect([await exactly('häuser'), await exactly('haus')]).toEqual([['a'], []]);
      await write({ id: 'b', title: 'Häuser' });
      expect((await exactly('häuser')).toSorted()).toEqual(['a', 'b']);
    } finally {
      await sql.unsafe('drop function refuse cascade');
    }
    await indexes.repair(collection);
    expect((await exactly('haus')).toSorted()).toEqual(['a', 'b']);
  });

  test('is found, and its index kept, where a search was at one before that is gone', async () => {
    await write({ id: 'a', title: 'torch' });
    expect(await found('torch')).toEqual(['a']);
    const indexesNow = async () => {
      const name = await readName(world.record.sql, collection.id);
      return Object.keys((await (await fetch(`${nodes[0]}/${name}-*/_alias`)).json()) as object).sort();
    };
    const generation = async () => {
      const rows = await world.record
        .sql`select generation, is_ready from search_indexes where collection_id = ${collection.id}`;
      return rows[0];
    };
    const [first] = await indexesNow();
    const other = world.openIndexes(await engineIn(nodes, world.record));
    const held = gate();
    cluster.before = (path) => (path === '/_msearch' ? held.pass() : Promise.resolve());
    try {
      const late = [found('torch'), found('torch')];
      await held.reached;
      cluster.before = async () => undefined;
      await other.repair(collection);
      const made = await generation();
      expect(await found('torch')).toEqual(['a']);
      await fetch(`${nodes[0]}/${first}`, { method: 'DELETE' });
      held.open();
      expect(await Promise.all(late)).toEqual([['a'], ['a']]);
      expect([await generation(), (await indexesNow()).length]).toEqual([made, 1]);
    } finally {
      cluster.before = async () => undefined;
      held.open();
    }
    await fetch(`${nodes[0]}/${(await indexesNow())[0]}`, { method: 'DELETE' });
    expect(await indexes.verify(collection)).toMatchObject({ documents: 1, indexed: 1, missing: [] });
  });

  test('is found by a search that waits for it while another server makes the index anew', async () => {
    await write({ id: 'a', title: 'torch' });
    expect(await found('torch')).toEqual(['a']);
    const other = world.openIndexes(await engineIn(nodes, world.record));
    const [searches, brings] = [gate(), gate()];
    const assertThere = cluster.assertThere.bind(cluster);
    try {
      cluster.assertThere = async () => {
        cluster.assertThere = assertThere;
        await searches.pass();
      };
      const search = found('torch');
      await searches.reached;
      cluster.before = (path) => (path === '/_bulk' ? brings.pass() : Promise.resolve());
      const written = write({ id: 'b', title: 'torch' });
      await brings.reached;
      searches.open();
      // While the search waits for what this server is about to bring.
      await other.repair(collection);
      brings.open();
      await written;
      expect((await search).toSorted()).toEqual(['a', 'b']);
    } finally {
      cluster.assertThere = assertThere;
      cluster.before = async () => undefined;
      brings.open();
      searches.open();
    }
  });

  test('is there for a change whose index is taken away in the cluster before it asks', async () => {
    await write({ id: 'a', title: 'torch' });
    const request = { call: 'stats' } as const;
    const stats = await engine.change(collection, {}, async (index) => {
      await dropFromCluster(nodes, world.record);
      return { answer: await index?.readAfterWrites(collection.for, request), batches: [] };
    });
    expect(stats?.documentCount).toBe(1);
  });

  /** What a write comes to that was committed before the cluster was away. */
  async function withAway(task: () => Promise<unknown>): Promise<unknown> {
    const assertThere = cluster.assertThere.bind(cluster);
    cluster.assertThere = async () => {
      await assertThere();
      line.isCut = true;
    };
    try {
      return await task().catch((error: unknown) => error);
    } finally {
      cluster.assertThere = assertThere;
      line.isCut = false;
    }
  }
});
