import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRecord } from '#server/db/open-record.ts';
import { createLog } from '#server/log.ts';
import { call, createCollection, createTenant, must } from '#server/testing/callers.ts';
import { type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { Collection, Verified } from '#shared/collections.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { forTerminal } from './for-terminal.ts';
import { runMigrate } from './migrate.ts';

const root = path.resolve('.');

test('what tenants have written does not act on the operator’s terminal', () => {
  const title = '\u001b]0;done\u0007 \u009b2J \u202eabc Ünïcode 東京';
  expect(forTerminal(title)).toBe('\\u{1b}]0;done\\u{7} \\u{9b}2J \\u{202e}abc Ünïcode 東京');
});

describeWithCluster('npm run migrate', (nodes) => {
  let embedded: FreshDatabase;
  let server: FreshDatabase;
  let kit: Kit | null = null;

  beforeAll(async () => {
    embedded = await freshDatabase('embedded');
    server = await freshDatabase('bundled', { isEmpty: true });
  });
  afterAll(async () => {
    if (kit) await dropFromCluster(nodes, kit.deps.record);
    await kit?.close();
    await server.cleanup();
    await embedded.cleanup();
  });

  const envOf = (dataDir: string) => ({
    DATA_DIR: dataDir,
    DATABASE_URL: server.settings.databaseUrl ?? '',
    OPENSEARCH_URL: nodes.join(','),
    APP_SECRET: 'a secret for tests, long enough to be one',
  });
  const recordOf = ({ settings }: FreshDatabase) => ({
    settings: { ...settings, storageReserveBytes: 0 },
    log: createLog('silent'),
    migrationsFolder: path.join(root, 'drizzle'),
  });
  const migrate = async (
    args: string[],
    { env = envOf(embedded.settings.dataDir), tell = (_: string): unknown => undefined } = {},
  ) => {
    let printed = '';
    const print = (text: string) => {
      printed += text;
      tell(text);
    };
    await runMigrate(args, { env, print, root });
    return printed;
  };
  const close = async () => {
    await kit?.close();
    kit = null;
  };
  const open = async (settings: NonNullable<Parameters<typeof startKit>[0]>['settings']) => {
    await close();
    kit = await startKit({ ...(settings && { settings }) });
    return kit;
  };

  test('moves an embedded record to Postgres and a cluster, whole, once, and back', async () => {
    const first = await open({ ...embedded.settings, openSearch: null });
    const { owner, project, key } = await createTenant(first, { name: 'films' });
    const as = { key: key.key };
    const films = Array.from({ length: 700 }, (_, i) => ({
      ...{ id: `f${i}`, title: `Ünïcode\ttorch\\n ${i}`, year: 1990 + (i % 30), tags: ['a', `b${i % 7}`] },
      embedding: Array.from({ length: 8 }, (__, at) => Math.sin(i * 8 + at)),
    }));
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = films.map((film) => JSON.stringify(film)).join('\n');
    const documents = '/api/collections/films/documents';
    await must(call(first, { method: 'POST', path: `${documents}/import`, body, as, headers }));
    await must(call(first, { method: 'DELETE', path: `${documents}/f3`, as }));
    const search = (by: Kit, query: string) =>
      must(call<SearchAnswer>(by, { method: 'GET', path: `/api/collections/films/search?${query}`, as }));
    const exported = async (by: Kit) =>
      String(await must(call<string>(by, { method: 'GET', path: `${documents}/export`, as })));
    const all = await exported(first);
    const found = async (by: Kit) => {
      const { hits, found: number } = await search(by, 'query=torch&filter_by=year:>2000&sort_by=year:desc');
      return [number, hits.map(({ id }) => id)];
    };
    const before = await found(first);

    await expect(migrate(['--to', 'opensearch'])).rejects.toThrow(/in use|uses|holds|running/i);
    await close();
    for (const args of [[], ['--to'], ['--to', 'lucene'], ['--to', 'embedded', '--without-copy']])
      await expect(migrate(args)).rejects.toThrow('npm run migrate -- --to');
    const away = { ...envOf(embedded.settings.dataDir), OPENSEARCH_URL: 'http://127.0.0.1:1' };
    await expect(migrate(['--to', 'opensearch'], { env: away })).rejects.toThrow('search cluster');

    // As a server that has run there for a moment leaves it.
    const ran = await openRecord(recordOf(server));
    await ran.sql`insert into host_series (server, grain, at, first_at) values ('one', 'minute', now(), now())`;
    await ran.close();
    const forgotten = envOf(path.join(embedded.settings.dataDir, 'another'));
    await expect(migrate(['--to', 'opensearch'], { env: forgotten })).rejects.toThrow('nothing to move');
    // From the copy on: an index that cannot be made yet, or a machine that is switched off meanwhile, changes nothing about it.
    let copied = '';
    const stopping = (text: string) => {
      copied += text;
      if (text.includes('Copied, ')) throw new Error('switched off');
    };
    await expect(migrate(['--to', 'opensearch'], { tell: stopping })).rejects.toThrow('switched off');
    expect(copied).toContain('documents: 699\n');
    expect(copied).toContain('each row compared');
    await expect(openRecord(recordOf(embedded))).rejects.toThrow('was moved to postgres://');
    const printed = await migrate(['--to', 'opensearch']);
    expect(printed).toContain('copied already');
    expect(printed).toContain('1 of 1: "films"');
    expect(printed.match(/verified/g)).toHaveLength(1);
    expect(printed).toContain('SEARCH_ENGINE=opensearch');
    // As if it had been interrupted: the index is not there, the record is.
    const record = await openRecord(recordOf(server));
    await dropFromCluster(nodes, record);
    await record.close();
    const again = await migrate(['--to', 'opensearch']);
    expect(again).toContain('copied already');
    expect(again).toContain('699 documents');
    expect(again.match(/verified/g)).toHaveLength(1);
    const both = await Promise.allSettled([migrate(['--to', 'opensearch']), migrate(['--to', 'opensearch'])]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');

    // Nobody goes on by mistake where it was, nor makes indexes of that.
    await expect(open({ ...embedded.settings, openSearch: null })).rejects.toThrow(
      /was moved to postgres:\/\/.*set DATABASE_URL.*moved first/,
    );
    const only = { ...envOf(embedded.settings.dataDir), DATABASE_URL: '' };
    for (const to of ['opensearch', 'embedded'])
      await expect(migrate(['--to', to], { env: only })).rejects.toThrow('was moved to postgres://');
    // Until it is that again.
    expect(await migrate(['--to', 'embedded'])).toContain('copied already');
    const back = await openRecord(recordOf(embedded));
    await back.close();
    await migrate(['--to', 'opensearch']);
    await expect(openRecord(recordOf(embedded))).rejects.toThrow('was moved');

    const second = await open({ ...server.settings, openSearch: { nodes } });
    expect(await found(second)).toEqual(before);
    expect(await exported(second)).toBe(all);
    const verified = await must(
      call<Verified>(second, { method: 'POST', path: '/api/collections/films/verify', as }),
    );
    expect(verified).toMatchObject({ documents: 699, indexed: 699, missing: [], ghosts: [], stale: [] });
    // Its ids follow those that were copied.
    const further = await createCollection(second, owner, { projectId: project.id, name: 'more' });
    const listed = await must(call<Collection[]>(second, { method: 'GET', path: '/api/collections', as }));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(2);
    expect(listed.map(({ id }) => id)).toContain(further.id);
    await must(call(second, { method: 'POST', path: documents, body: { id: 'later', title: 'torch' }, as }));
    await dropFromCluster(nodes, second.deps.record);
    await close();
    await expect(migrate(['--to', 'opensearch'])).rejects.toThrow(/moved there before.*--without-copy/);
    const elsewhere = await freshDatabase('bundled', { isEmpty: true });
    const env = {
      ...envOf(embedded.settings.dataDir),
      DATABASE_URL: elsewhere.settings.databaseUrl ?? '',
    };
    await expect(migrate(['--to', 'opensearch'], { env })).rejects.toThrow('was moved to postgres://');
    await elsewhere.cleanup();

    // One that the cluster refuses, under a name that a terminal would act on.
    const mend = await openRecord(recordOf(server));
    await dropFromCluster(nodes, mend);
    await mend.sql`update collections set name = ${'films\u009b2J'}, dimension = 100000 where name = 'films'`;
    await mend.close();
    let told = '';
    const failed = migrate(['--to', 'opensearch', '--without-copy'], { tell: (text) => (told += text) });
    await expect(failed).rejects.toThrow('The index is not what the record is of "films\\u{9b}2J":');
    expect(told).toContain('failed: ');
    expect(told).toMatch(/2 of 2: "more" \(\d+\), 0 documents\n {4}verified\n/);
    const mended = await openRecord(recordOf(server));
    await mended.sql`update collections set name = 'films', dimension = 8 where dimension = 100000`;
    await dropFromCluster(nodes, mended);
    await mended.close();

    const fresh = await freshDatabase('embedded');
    try {
      const env = envOf(fresh.settings.dataDir);
      expect(await migrate(['--to', 'embedded'], { env })).toContain('documents: 700\n');
      const back = await open({ ...fresh.settings, openSearch: null });
      expect((await search(back, 'query=torch')).found).toBe(700);
      await close();
    } finally {
      await fresh.cleanup();
    }
  });
});
