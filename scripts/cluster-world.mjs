/** All of `compose.opensearch.yaml` on one machine, as processes: nodes, Postgres, servers and the proxy, on loopback, in a folder that is thrown away. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openThrowaway } from './end-with-this.mjs';
import { freePort } from './free-port.mjs';
import { at } from './freshness.mjs';
import { startServer } from './load-tools.mjs';
import { startProxy } from './proxy.mjs';
import { openRelay } from './relay.mjs';
import { startPostgres } from './throwaway-postgres.mjs';

export const appSecret = 'a secret for drills, long enough to be one';

/**
 * @param nodes 1 to 5
 * @param servers 1 or 2
 * @param smallDiskMb the last node's data lie on a disk of this size
 * @param given a Postgres that stays; absent: one of its own
 * @param main what the servers run; absent: this build
 * @param beforeServers run once nodes and Postgres are there; what it answers is `prepared`
 */
export async function startWorld({ nodes, servers, heap = '512m', smallDiskMb = 0, settings = {}, ...rest }) {
  const { folder, closers, stop } = await openThrowaway('vectora-cluster-');
  try {
    const dev = devCluster(path.join(folder, 'nodes'), { heap, smallDiskMb });
    closers.push(() => dev('stop'));
    const nodeUrls = (await dev('start', String(nodes))).split(',');
    const postgres = rest.given ?? (await startPostgres(folder));
    if (!rest.given) closers.push(postgres.stop);
    const prepared = await rest.beforeServers?.({ nodeUrls, postgres, folder });
    const proxyPort = await freePort();
    const places = [];
    for (let i = 0; i < servers; i += 1) {
      const relays = await Promise.all(nodeUrls.map(openRelay));
      closers.push(async () => {
        for (const relay of relays) relay.close();
      });
      await mkdir(path.join(folder, `data-${i + 1}`));
      places.push({ relays, port: await freePort(), dataDir: path.join(folder, `data-${i + 1}`) });
    }
    const running = [];
    const startOne = async (i, main) => {
      const { relays, port, dataDir } = places[i];
      const given = {
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: postgres.url,
        APP_SECRET: appSecret,
        SEARCH_ENGINE: 'opensearch',
        OPENSEARCH_URL: relays.map(({ url }) => url).join(','),
        PUBLIC_URL: `http://127.0.0.1:${proxyPort}`,
        TRUST_PROXY: 'true',
        DRAIN_SECONDS: '5',
        LOG_LEVEL: process.env.DRILL_LOG_LEVEL ?? 'silent',
        ...settings,
      };
      running[i] = await startServer(given, main);
    };
    closers.push(async () => Promise.all(running.map((server) => server.stop())));
    for (let i = 0; i < servers; i += 1) await startOne(i, rest.main);
    const proxy = await startProxy(
      places.map(({ port }) => `http://127.0.0.1:${port}`),
      proxyPort,
    );
    closers.push(proxy.stop);
    /** A further node, which all servers know: they are started again. */
    const addNode = async () => {
      nodeUrls.push(await dev('add'));
      for (const [i, { relays }] of places.entries()) {
        const relay = await openRelay(nodeUrls.at(-1));
        closers.push(async () => relay.close());
        relays.push(relay);
        await running[i].stop();
        await startOne(i, rest.main);
      }
    };
    return {
      url: proxy.url,
      proxy,
      nodeUrls,
      addNode,
      dev,
      postgres,
      places,
      running,
      startOne,
      folder,
      prepared,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs a command of `opensearch-dev.mjs` on a cluster of its own, while this process goes on. */
function devCluster(run, { heap, smallDiskMb }) {
  const env = {
    ...process.env,
    OPENSEARCH_RUN: run,
    OPENSEARCH_HEAP: heap,
    OPENSEARCH_SMALL_DISK_MB: String(smallDiskMb),
  };
  return async (...args) => {
    const script = at('scripts/opensearch-dev.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env });
    return stdout.trim();
  };
}

/** What any node that is there answers. */
export async function askCluster({ nodeUrls }, route, init = {}) {
  for (const url of nodeUrls) {
    const answer = await fetch(`${url}${route}`, {
      ...init,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
    }).catch(() => null);
    if (answer?.ok) return answer.json();
  }
  throw new Error(`no node answers ${route}`);
}

/** Until all nodes are there and each copy is whole, which takes as long as there is much to copy. @throws Error after twenty minutes */
export async function untilGreen(world) {
  const route = `/_cluster/health?wait_for_status=green&wait_for_nodes=${world.nodeUrls.length}&timeout=10s`;
  for (const end = Date.now() + 20 * 60_000; ; ) {
    try {
      return await askCluster(world, route);
    } catch (error) {
      // One that waits in vain answers 408.
      if (Date.now() > end) throw error;
    }
  }
}
