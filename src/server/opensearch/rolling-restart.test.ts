import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '#server/db/embedded/free-port.ts';
import { openRecord } from '#server/db/open-record.ts';
import { createLog } from '#server/log.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { setUpAccount } from '#server/testing/kill/rest-client.ts';
import { type ServerProcess, startServer } from '#server/testing/kill/server-process.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { Verified } from '#shared/collections.ts';
import type { ImportSummary } from '#shared/documents.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { hasProxy, startProxy } from '../../../scripts/proxy.mjs';

/** Two built servers behind the proxy of `compose.opensearch.yaml`. */
describeWithCluster('two servers behind a proxy', (nodes) => {
  test.skipIf(!hasProxy())(
    'are restarted one after the other while others write and search: no request fails (needs haproxy)',
    async () => {
      const database = await freshDatabase('bundled');
      const folder = await mkdtemp(path.join(tmpdir(), 'vectora-rolling-'));
      const closers: (() => Promise<unknown>)[] = [];
      try {
        const ports = [await freePort(), await freePort()];
        const proxyPort = await freePort();
        const start = async (i: number): Promise<ServerProcess> =>
          await startServer({
            DATABASE_URL: database.settings.databaseUrl ?? '',
            DATA_DIR: path.join(folder, `data-${i}`),
            APP_SECRET: 'a secret for tests, long enough to be one',
            SEARCH_ENGINE: 'opensearch',
            OPENSEARCH_URL: nodes.join(','),
            PORT: String(ports[i]),
            PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
            TRUST_PROXY: 'true',
            DRAIN_SECONDS: '4',
          });
        for (const i of ports.keys()) await mkdir(path.join(folder, `data-${i}`));
        const servers = [await start(0), await start(1)];
        closers.push(async () => Promise.all(servers.map((server) => server.stop())));
        const proxy = await startProxy(
          ports.map((port) => `http://127.0.0.1:${port}`),
          proxyPort,
        );
        closers.push(proxy.stop);
        const key = await setUpAccount(proxy.url, ['things']);
        const work = startWork(proxy.url, key);
        await expect.poll(() => work.done.searches).toBeGreaterThan(10);

        for (const [i, server] of servers.entries()) {
          expect(await server.stop()).toBe(0);
          const before = proxy.log().length;
          servers[i] = await start(i);
          // The other one goes once this one serves again.
          await expect.poll(() => proxy.log().slice(before)).toContain(`servers/vectora-${i + 1} `);
        }
        await work.stop();

        expect(work.failures).toEqual([]);
        const { writes, imported } = work.done;
        const documents = writes + imported;
        const all = await work.ask<SearchAnswer>('GET', 'search?query=*&per_page=1');
        expect(all.found).toBe(documents);
        const verified = await work.ask<Verified>('POST', 'verify');
        expect(verified).toMatchObject({ documents, indexed: documents, missing: [], ghosts: [], stale: [] });
      } finally {
        for (const close of closers.reverse()) await close();
        const { settings } = database;
        const record = await openRecord({
          settings: { ...settings, storageReserveBytes: 0, openSearch: { nodes } },
          log: createLog('silent'),
          migrationsFolder: path.resolve('drizzle'),
        });
        await dropFromCluster(nodes, record);
        await record.close();
        await database.cleanup();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Writers of single documents, each of which is searched for at once, and of small imports, until they are stopped. */
function startWork(url: string, key: string) {
  const done = { writes: 0, imported: 0, searches: 0 };
  const failures: string[] = [];
  let isStopped = false;
  const ask = async <T>(method: string, path: string, body?: string, type = 'application/json') => {
    const response = await fetch(`${url}/api/collections/things/${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const repeat = async (step: (turn: number) => Promise<void>) => {
    for (let turn = 0; !isStopped; turn += 1)
      await step(turn).catch((error: unknown) => failures.push(String(error)));
  };
  const write = (writer: string) => async (turn: number) => {
    const word = `${writer}x${turn}`;
    await ask('POST', 'documents?action=create', JSON.stringify({ id: word, title: `torch ${word}` }));
    done.writes += 1;
    const { hits } = await ask<SearchAnswer>('GET', `search?query=${word}&num_typos=0&prefix=false`);
    if (hits.length !== 1) throw new Error(`${word} was answered and is found ${hits.length} times`);
    done.searches += 1;
  };
  const importRows = async (turn: number) => {
    const rows = Array.from({ length: 50 }, (_, i) => JSON.stringify({ id: `r${turn}-${i}`, title: 'lamp' }));
    const { succeeded } = await ask<ImportSummary>(
      'POST',
      'documents/import',
      rows.join('\n'),
      'application/x-ndjson',
    );
    done.imported += succeeded;
  };
  const working = Promise.all([repeat(write('a')), repeat(write('b')), repeat(importRows)]);
  const stop = async () => {
    isStopped = true;
    await working;
  };
  return { ask, done, failures, stop };
}
