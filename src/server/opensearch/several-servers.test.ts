import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmbedder } from '#server/embeddings/create-embedder.ts';
import { createIndexes } from '#server/indexes/create-indexes.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import { swapVectors } from '#server/indexes/upgrade/move-statements.ts';
import { createLog } from '#server/log.ts';
import { call, createCollection, createTenant, must, type SignedUp } from '#server/testing/callers.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { startEmbeddingServer } from '#server/testing/embedding-server.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { asRead, parameters, testRequester } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';
import type { Collection, Verified } from '#shared/collections.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { Suggestions } from '#shared/suggestions.ts';
import { readName } from './index-states.ts';

/** Two servers on one record and one cluster: whatever is done through one holds for the other. */
describeWithCluster('two servers on one record', (nodes) => {
  let one: Kit;
  let two: Kit;
  let owner: SignedUp;
  let projectId: number;
  let collection: Collection;

  beforeAll(async () => {
    one = await startKit({ settings: { openSearch: { nodes } } });
    two = await startKit({ beside: one });
    const tenant = await createTenant(one);
    owner = tenant.owner;
    projectId = tenant.project.id;
  });
  let made = 0;
  beforeEach(async () => {
    made += 1;
    collection = await createCollection(one, owner, { projectId, name: `films ${made}`, dimension: 8 });
  });
  afterAll(async () => {
    await dropFromCluster(nodes, one.deps.record);
    await two.close();
    await one.close();
  });

  const at = (rest: string) => `/api/collections/${collection.id}/${rest}`;
  const write = (by: Kit, document: Record<string, unknown>) =>
    must(call(by, { method: 'POST', path: at('documents?action=upsert'), as: owner.as, body: document }));
  const search = (by: Kit, query = 'torch') =>
    must(
      call<SearchAnswer>(by, {
        method: 'GET',
        path: at(`search?query=${query}&per_page=250`),
        as: owner.as,
      }),
    );
  const verify = (by: Kit) => must(call<Verified>(by, { method: 'POST', path: at('verify'), as: owner.as }));
  const ofCluster = async (rest: string) => {
    const name = await readName(one.deps.record.sql, collection.id);
    return (await fetch(`${nodes[0]}/${name}-*/${rest}`)).json() as Promise<object>;
  };
  const refreshes = async () => {
    const stats = (await ofCluster('_stats/refresh')) as {
      _all: { primaries: { refresh: { external_total: number } } };
    };
    return stats._all.primaries.refresh.external_total;
  };

  test('a write through one is found by the next search through the other, with a refresh a search and none a write', async () => {
    await write(one, { id: 'first', title: 'torch' });
    await search(two);
    const before = await refreshes();
    for (let i = 0; i < 10; i += 1) {
      await write(one, { id: `a${i}`, title: 'torch' });
      await write(two, { id: `b${i}`, title: 'torch' });
    }
    expect((await search(two)).found).toBe(21);
    expect((await search(one)).found).toBe(21);
    expect((await refreshes()) - before).toBeLessThanOrEqual(2);
    await must(call(one, { method: 'DELETE', path: at('documents/first'), as: owner.as }));
    expect((await search(two)).found).toBe(20);
  });

  test('an index that both find missing is made once', async () => {
    const answers = await Promise.all([one, two, one, two].map((by) => search(by, '*')));
    expect(answers.map(({ found }) => found)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(await ofCluster('_alias'))).toHaveLength(1);
    const [row] = await one.deps.record.sql`
      select is_ready, generation from search_indexes where collection_id = ${collection.id}`;
    expect(row?.['is_ready']).toBe(true);
    await search(one, '*');
    await search(two, '*');
    const [after] = await one.deps.record.sql`
      select generation from search_indexes where collection_id = ${collection.id}`;
    expect(after?.['generation']).toEqual(row?.['generation']);
  });

  test('what is written through one while the other makes the index anew is in it, and searches find all meanwhile', async () => {
    for (let i = 0; i < 20; i += 1) await write(one, { id: `d${i}`, title: 'torch' });
    let written = 20;
    let isOver = false;
    const missed: string[] = [];
    const searching = async (by: Kit) => {
      while (!isOver) {
        const least = written;
        const { found } = await search(by);
        if (found < least) missed.push(`${found} of ${least}`);
      }
    };
    const writing = async () => {
      for (let i = 10; i < 60; i += 1) {
        await write(one, { id: `d${i}`, title: `torch again${i}` });
        written = Math.max(written, i + 1);
        if (i % 10 !== 0) continue;
        await write(one, { id: `gone${i}`, title: 'lamp' });
        await must(call(one, { method: 'DELETE', path: at(`documents/gone${i}`), as: owner.as }));
      }
    };
    const repairing = async () => {
      for (let i = 0; i < 3; i += 1)
        await must(call(two, { method: 'POST', path: at('repair'), as: owner.as }));
    };
    const searches = Promise.all([searching(one), searching(two)]);
    await Promise.all([writing(), repairing()]).finally(() => {
      isOver = true;
    });
    await searches;
    expect(missed).toEqual([]);
    const [row] = await one.deps.record
      .sql`select is_ready from search_indexes where collection_id = ${collection.id}`;
    expect(row?.['is_ready']).toBe(true);
    for (const by of [one, two]) expect((await search(by)).found).toBe(60);
    for (const by of [one, two])
      expect(await verify(by)).toMatchObject({
        documents: 60,
        indexed: 60,
        missing: [],
        ghosts: [],
        stale: [],
      });
    expect((await search(two, 'again59')).hits.map(({ id }) => id)).toEqual(['d59']);
    // The one before stays for searches that are at it.
    const aliases = Object.values(await ofCluster('_alias')) as { aliases: object }[];
    expect(aliases.map((each) => Object.keys(each.aliases).length).sort()).toEqual([1, 2]);
  });

  const send = <T>(by: Kit, method: string, route: string, body?: unknown) =>
    must(call<T>(by, { method, path: route, body, as: owner.as }));
  const idsAt = async (by: Kit, query: string, reference: string | number = collection.id) => {
    const route = `/api/collections/${encodeURIComponent(reference)}/search?query=${encodeURIComponent(query)}`;
    return (await send<SearchAnswer>(by, 'GET', route)).hits.map(({ id }) => id);
  };

  /** As if the other server were at work at the collection's index, and had not finished. */
  const holdRenewal = async (name: 'repair' | 'index' = 'repair') => {
    let letGo = () => {};
    const holding = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let held = Promise.resolve();
    await new Promise<void>((isTaken) => {
      held = two.deps.record.servers.alone(`${name} ${collection.id}`, () => {
        isTaken();
        return holding;
      });
    });
    return async () => {
      letGo();
      await held;
    };
  };

  test('searches go on while many documents are read as another language, and while their index is laid out in another way', async () => {
    const ids = Array.from({ length: 1_200 }, (_, i) => `h${i}`);
    const rows = ids.map((id) => JSON.stringify({ id, title: 'Die Häuser am See' }));
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = rows.join('\n');
    await must(call(one, { method: 'POST', path: at('documents/import'), body, headers, as: owner.as }));
    const found = async (by: Kit, query: string) => {
      const asked = `search?query=${query}&prefix=false&num_typos=0`;
      return (await send<SearchAnswer>(by, 'GET', at(asked))).found;
    };
    const [haus, hauser] = ['haus', encodeURIComponent('häuser')];
    expect([await found(one, haus), await found(two, hauser)]).toEqual([0, 1_200]);
    const finish = await holdRenewal();
    await send(one, 'PUT', at('settings'), { language: 'de' });
    for (const [by, count] of [
      [one, 1_200],
      [two, 1_201],
    ] as const) {
      expect(await found(by, hauser)).toBe(count);
      await write(by, { id: `late ${count}`, title: 'Häuser' });
    }
    expect([await found(two, hauser), await found(one, haus)]).toEqual([1_202, 0]);
    await finish();
    await expect.poll(() => found(one, haus)).toBe(1_202);
    expect(await found(two, haus)).toBe(1_202);
    const isWhole = { missing: [], ghosts: [], stale: [] };
    expect(await verify(two)).toMatchObject({ documents: 1_202, indexed: 1_202, ...isWhole });
    // As releases before this one, and after it, have made it.
    const { sql } = one.deps.record;
    const layOut = (note: string) =>
      sql`update search_indexes set analyzer = ${note} where collection_id = ${collection.id}`;
    const foundByRecord = async (by: Kit) => {
      const asked = 'search?query=haus&prefix=false&num_typos=0';
      const { found: count, request } = await send<SearchAnswer>(by, 'GET', at(asked));
      return [count, request.without_cluster?.includes('being made anew') ?? false];
    };
    const [{ analyzer: before } = { analyzer: '' }] =
      await sql`select analyzer from search_indexes where collection_id = ${collection.id}`;
    for (const later of ['de-2 999', 'xx-2 2']) {
      await layOut(later);
      await expect.poll(() => foundByRecord(one)).toEqual([1_202, true]);
    }
    await layOut(before);
    expect(await foundByRecord(one)).toEqual([1_202, false]);
    // One that is lost, and was made by a later release while this one waited for it.
    const setReady = (isReady: boolean) =>
      sql`update search_indexes set is_ready = ${isReady} where collection_id = ${collection.id}`;
    const finishMaking = await holdRenewal('index');
    await setReady(false);
    const waiting = foundByRecord(one);
    await layOut('de-2 999');
    await setReady(true);
    await finishMaking();
    expect(await waiting).toEqual([1_202, true]);
    await layOut(before);
    expect(await foundByRecord(one)).toEqual([1_202, false]);
    // One of the release before goes on until another has taken its place.
    const noted = async () =>
      (await sql`select analyzer from search_indexes where collection_id = ${collection.id}`)[0]?.[
        'analyzer'
      ];
    const finishFormer = await holdRenewal();
    await layOut('de-2 2');
    await expect.poll(() => foundByRecord(two)).toEqual([1_202, false]);
    await write(two, { id: 'former', title: 'Häuser' });
    expect(await foundByRecord(one)).toEqual([1_203, false]);
    expect(await noted()).toBe('de-2 2');
    await finishFormer();
    await expect
      .poll(async () => [...(await foundByRecord(one)), await noted()])
      .toEqual([1_203, false, before]);
    await send(one, 'DELETE', at('documents/former'));
    expect(await foundByRecord(two)).toEqual([1_202, false]);
    const finishLayout = await holdRenewal();
    await layOut('de-2 1');
    await expect.poll(() => foundByRecord(two)).toEqual([1_202, true]);
    await write(two, { id: 'later', title: 'Häuser' });
    expect(await foundByRecord(one)).toEqual([1_203, true]);
    // What a filter lets through is changed and deleted.
    const filtered = (filter: string) => at(`documents?filter_by=${encodeURIComponent(filter)}`);
    await send(one, 'PATCH', filtered('title:=`Häuser`'), { colour: 'grey' });
    expect(await send(two, 'DELETE', filtered('colour:=grey'))).toMatchObject({ deleted: 3 });
    for (const id of ['late 1200', 'late 1201', 'later']) await write(two, { id, title: 'Häuser' });
    await finishLayout();
    await expect.poll(() => foundByRecord(one)).toEqual([1_203, false]);
    expect(await foundByRecord(two)).toEqual([1_203, false]);
    expect(await verify(two)).toMatchObject({ documents: 1_203, indexed: 1_203, ...isWhole });
    // As the last step of a move to another model leaves it.
    const finishMove = await holdRenewal();
    const [{ model } = { model: '' }] = await sql`select model from collections where id = ${collection.id}`;
    await sql.begin((tx) => swapVectors(tx, { collectionId: collection.id, model }));
    await expect.poll(() => foundByRecord(one)).toEqual([1_203, true]);
    await write(one, { id: 'moved', title: 'Häuser' });
    await expect.poll(() => foundByRecord(two)).toEqual([1_204, true]);
    await finishMove();
    await expect.poll(() => foundByRecord(two)).toEqual([1_204, false]);
    expect(await foundByRecord(one)).toEqual([1_204, false]);
    expect(await verify(one)).toMatchObject({ documents: 1_204, indexed: 1_204, ...isWhole });
  });

  test('synonyms, overrides and settings of one act in the next searches through the other, which knew others', async () => {
    await write(one, { id: 'a', title: 'torch' });
    await write(one, { id: 'b', title: 'torch', text: 'flashlight' });
    expect(await idsAt(two, 'flashlight')).toEqual(['b']);
    const soon = (query: string) => expect.poll(async () => (await idsAt(two, query)).sort());
    await send(one, 'POST', at('synonyms'), { id: 's', synonyms: ['flashlight', 'torch'] });
    await soon('flashlight').toEqual(['a', 'b']);
    const rule = { query: 'torch', match: 'exact' };
    await send(one, 'POST', at('overrides'), { id: 'o', rule, excludes: [{ id: 'a' }] });
    await soon('torch').toEqual(['b']);
    await send(two, 'DELETE', at('overrides/o'));
    await expect.poll(async () => (await idsAt(one, 'torch')).sort()).toEqual(['a', 'b']);
    await send(two, 'PUT', at('settings'), { query_by: ['text'], enable_synonyms: false });
    await expect.poll(() => idsAt(one, 'flashlight')).toEqual(['b']);
    await expect.poll(() => idsAt(one, 'torch')).toEqual([]);
  });

  test('an alias that is swapped at one names the other collection at both', async () => {
    const other = await createCollection(one, owner, { projectId, name: `other ${made}`, dimension: 8 });
    await write(one, { id: 'old', title: 'torch' });
    await send(two, 'POST', `/api/collections/${other.id}/documents`, { id: 'new', title: 'torch' });
    const alias = `films now ${made}`;
    const point = (by: Kit, { id }: Collection) =>
      send(by, 'PUT', `/api/aliases/${encodeURIComponent(alias)}`, { collection: id });
    await point(one, collection);
    await expect.poll(() => idsAt(two, 'torch', alias)).toEqual(['old']);
    await point(two, other);
    for (const by of [one, two]) await expect.poll(() => idsAt(by, 'torch', alias)).toEqual(['new']);
  });

  test('what is written through one is suggested, and understood, by the other', async () => {
    for (let i = 0; i < 4; i += 1) await write(one, { id: `r${i}`, title: `lamp ${i}`, colour: 'crimson' });
    await write(one, { id: 'z', title: 'Zeppelin over Berlin', colour: 'grey' });
    const { suggestions } = await send<Suggestions>(two, 'GET', at('suggest?q=zepp'));
    expect(suggestions.map(({ query }) => query)).toContain('Zeppelin over Berlin');
    const { request, found } = await send<SearchAnswer>(
      two,
      'GET',
      at('search?query=crimson%20lamp&understand=true'),
    );
    expect([found, request.understood?.map(({ filter_by }) => filter_by)]).toEqual([4, ['colour:=crimson']]);
  });

  test('a server that knew which values there are reads them again once another one has written', async () => {
    let time = 0;
    const { record, settings } = two.deps;
    const log = createLog('silent');
    const indexes = createIndexes({
      ...(await engineIn(nodes, record)),
      record,
      settings,
      log,
      embedder: await createEmbedder({
        modelsDir: path.resolve('models'),
        log,
        waitMsMax: 60_000,
        queryWaitMs: 60_000,
        isStaticOnly: true,
      }),
      host: createLocalHost(),
      now: () => time,
    });
    const own = { ...collection, for: testRequester, rulesVersion: 0 };
    const understood = async () => {
      const asked = parameters({ query: 'crimson lamp', understand: true });
      const { request }: SearchAnswer = asRead(await indexes.search(own, asked));
      return request.understood?.map(({ filter_by }) => filter_by);
    };
    const writeTwo = async (colour: string) => {
      for (const id of ['a', 'b']) await write(one, { id: `${colour} ${id}`, title: 'lamp', colour });
    };
    await writeTwo('grey');
    expect(await understood()).toEqual([]);
    await writeTwo('crimson');
    // Half a minute is enough where documents have changed; else they would be known for ten.
    time = 31_000;
    await expect.poll(understood).toEqual(['colour:=crimson']);
    await indexes.stop();
  });
});

describeWithCluster('two servers that move collections to another model', (nodes) => {
  test('embed queries by it as soon as one has moved them', async () => {
    const database = await freshDatabase();
    const openSearch = { nodes };
    const before = await startKit({ settings: { ...database.settings, openSearch } });
    const { key } = await createTenant(before, { name: 'things', dimension: 8 });
    const as = { key: key.key ?? '' };
    const documents = '/api/collections/things/documents';
    for (const title of ['torch', 'river', 'stone'])
      await must(call(before, { method: 'POST', path: documents, body: { id: title, title }, as }));
    await before.close();
    const service = await startEmbeddingServer();
    const embeddingService = {
      url: service.url,
      apiKey: null,
      model: 'm',
      dimensions: null,
      timeoutMs: 10_000,
      mayBePrivate: true,
    };
    const moving = { embeddings: 'openai' as const, embeddingService, movesCollections: true };
    const one = await startKit({ settings: { ...database.settings, openSearch, ...moving } });
    const two = await startKit({ beside: one, settings: moving });
    const nearest = async (by: Kit) => {
      const body = { query: 'river', k: 3 };
      const route = '/api/collections/things/vector-search';
      const { hits } = await must(call<SearchAnswer>(by, { method: 'POST', path: route, body, as }));
      return hits.map(({ id, score }) => `${id} ${score.toFixed(3)}`).sort();
    };
    // The service makes words to places: the same word is the same vector, and these have no place in common.
    for (const by of [one, two])
      await expect
        .poll(() => nearest(by), { timeout: 100_000 })
        .toEqual(['river 1.000', 'stone 0.000', 'torch 0.000']);
    await dropFromCluster(nodes, one.deps.record);
    await two.close();
    await one.close();
    await database.cleanup();
    await service.close();
  });
});
