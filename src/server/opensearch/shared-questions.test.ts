import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { createLog } from '#server/log.ts';
import { gate } from '#server/testing/gate.ts';
import { asRead, type IndexesWorld, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Applier } from './applier.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** Tells what it is asked, and holds requests of a path as long as that is closed. */
class HeldCluster extends Cluster {
  paths: string[] = [];
  lines: string[] = [];
  #held: { isHeld: (path: string, lines: string[]) => boolean; pass: () => Promise<void> } | null = null;

  /** `reached`: the first one is there. `has`: only requests with such a line. */
  hold(
    path: string,
    has: (line: string) => boolean = () => true,
  ): { open: () => void; reached: Promise<void> } {
    const { open, pass, reached } = gate();
    this.#held = { isHeld: (its, lines) => its.endsWith(path) && lines.some(has), pass };
    return { open, reached };
  }

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    this.paths.push(request.path);
    const lines = (request.lines ?? []).map((line) =>
      typeof line === 'string' ? line : JSON.stringify(line),
    );
    this.lines.push(...lines);
    if (this.#held?.isHeld(request.path, lines)) await this.#held.pass();
    return await super.ask(request, signal);
  }

  times(path: string): number {
    return this.paths.filter((each) => each.endsWith(path)).length;
  }
}

describeWithCluster('what searches ask a cluster', (nodes) => {
  let world: IndexesWorld;
  let collection: WritableCollection;
  let one: { cluster: HeldCluster; indexes: Indexes };
  let two: typeof one;

  const openServer = async () => {
    const cluster = new HeldCluster(await clientOf(nodes));
    const parts = { cluster, record: world.record, log: createLog('silent') };
    const engineOf = (onChanged: (id: number) => void) => new OpenSearchIndexes({ ...parts, onChanged });
    return { cluster, indexes: world.openIndexes({ engineOf }) };
  };
  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    one = await openServer();
    two = await openServer();
  });
  // Whoever comes next has the clock as it is, also where a test has failed.
  afterEach(() => {
    vi.restoreAllMocks();
  });
  beforeEach(async () => {
    collection = await world.newCollection();
    for (const id of ['a', 'b']) await write(one, id);
    await find(one);
    await find(two);
    one.cluster.paths = [];
  });
  afterAll(async () => {
    await dropFromCluster(nodes, world.record);
    await world.close();
  });

  const write = ({ indexes }: typeof one, id: string) =>
    indexes.write(collection, { action: 'upsert', document: { id, title: 'torch', maker: 'Acme' } });
  const find = async ({ indexes }: typeof one, more = {}, signal?: AbortSignal) => {
    const asked = parameters({ q: 'torch', ...more });
    const { hits }: SearchAnswer = asRead(await indexes.search(collection, asked, signal));
    return hits.map(({ id }) => id).toSorted();
  };

  test('is asked together where nothing waits for its answer', async () => {
    await find(one, { facet_by: 'maker', mode: 'keyword' });
    // Which words there are, how many documents hold them, what is spelt nearly so, what most of them cover, the best score; then the page, its facets, and what was held of the words.
    expect(one.cluster.times('_msearch')).toBe(6);
  });

  test('is the nearest once where relevance is told by them too', async () => {
    const { sql } = world.record;
    const weights = JSON.stringify({ base: -2, score: 4, words: 0.5, nearest: 0.1 });
    await sql`insert into calibrations (collection_id, mode, fitted_at, weights, unjudged, queries, pairs, relevant, calibration_error, brier, settings, model, judgements)
      values (${collection.id}, 'vector', now(), ${weights}::text::jsonb, 'ignored', 1, 1, 1, 0, 0, '{}', 'builtin', 1)`;
    await sql`update collections set rules_version = rules_version + 1 where id = ${collection.id}`;
    one.cluster.lines = [];
    const asked = parameters({ mode: 'vector', query: 'a torch' });
    const answer = await one.indexes.search({ ...collection, rulesVersion: 1 }, asked);
    const { hits }: SearchAnswer = asRead(answer);
    expect(hits.map(({ relevance }) => typeof relevance)).toEqual(['number', 'number']);
    expect(one.cluster.lines.filter((line) => line.includes('ef_search'))).toHaveLength(1);
  });

  test('is not given up for those who go on as the one that asked first hangs up', async () => {
    await write(one, 'c');
    const { open, reached } = one.cluster.hold('_msearch');
    const caller = new AbortController();
    const first = find(one, {}, caller.signal);
    await reached;
    const second = find(one);
    // By then it waits for the same.
    await find(two);
    caller.abort(new Error('hung up'));
    await expect(first).rejects.toThrow('hung up');
    open();
    expect(await second).toEqual(['a', 'b', 'c']);
  });

  test('brings what was noted when they were asked once for all of them, and does not wait for what is written since', async () => {
    const ofTwo = two.cluster.hold('_bulk');
    const early = write(two, 'c');
    await ofTwo.reached;
    const ofOne = one.cluster.hold('_bulk');
    const bringing = vi.spyOn(Applier.prototype, 'applyPending');
    const searches = Array.from({ length: 5 }, () => find(one));
    // All have read up to which version they are to bring.
    await expect.poll(() => bringing.mock.calls.length).toBe(searches.length);
    bringing.mockRestore();
    await ofOne.reached;
    const late = write(two, 'd');
    await expect
      .poll(async () => world.record.sql`select 1 from index_outbox where collection_id = ${collection.id}`)
      .toHaveLength(2);
    ofOne.open();
    for (const found of await Promise.all(searches)) expect(found).toEqual(['a', 'b', 'c']);
    expect(one.cluster.times('_bulk')).toBe(1);
    ofTwo.open();
    await Promise.all([early, late]);
    expect(await find(one)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('knows after any change which fields there are and of which types, without counting in all documents', async () => {
    const filters = ['n:>0', 'n:=lamp', 'n:true', 'm:>0', 'm:=lamp', 'maker:=Acme', 'o.p:>0'];
    const told = async (server: typeof one) =>
      await Promise.all(
        filters.map((filter_by) =>
          find(server, { q: '*', filter_by }).catch((error: unknown) => String(error)),
        ),
      );
    const changes: Record<string, unknown>[] = [
      { id: 'c', n: 1 },
      { id: 'd', n: 'lamp' },
      { id: 'c', n: true },
      { id: 'd', m: 2, o: { p: 3 } },
      { id: 'c', m: 'lamp' },
      { id: 'a', n: 1 },
      { id: 'b', n: 1 },
      { id: 'd', n: 2 },
    ];
    one.cluster.lines = [];
    const at = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(at);
    for (const document of changes) {
      await one.indexes.write(collection, { action: 'upsert', document });
      expect(await told(one)).toEqual(await told(await openServer()));
    }
    for (const id of ['a', 'b', 'c', 'd']) {
      await one.indexes.delete(collection, id);
      expect(await told(one)).toEqual(await told(await openServer()));
    }
    const asked = one.cluster.lines.filter((line) => line.includes('"kinds"'));
    expect(asked.length).toBeGreaterThan(changes.length);
    expect(asked.filter((line) => line.includes('match_all'))).toEqual([]);
    // Once a minute they are counted all the same, once for all, and nobody waits for it.
    const countsAll = (line: string) => line.includes('"kinds"') && line.includes('match_all');
    const counting = one.cluster.hold('_msearch', countsAll);
    clock.mockReturnValue(at + 60_000);
    await Promise.all([find(one), find(one), find(one)]);
    await counting.reached;
    counting.open();
    await write(one, 'e');
    expect(await find(one)).toEqual(['e']);
    expect(one.cluster.lines.filter(countsAll)).toHaveLength(1);
  });
});
