/**
 * A backup that is needed: documents are written while `pg_dump` runs, then database, cluster and servers are thrown away; the dump goes into an empty database, `npm run migrate` makes the
 * indexes in an empty cluster, and a server is asked for what had been answered before the dump began.
 *
 *   node scripts/drill-restore.mjs [--documents 5000]
 *
 * Needs a JDK and Maven (opensearch-dev.mjs), haproxy, and pg_dump, pg_restore, initdb and postgres of one version from 15 on. Exits 1 where a document is missing or an index differs.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { appSecret, startWorld } from './cluster-world.mjs';
import { freshKey } from './films.mjs';
import { at, ensureBuilt } from './freshness.mjs';
import { hasProxy } from './proxy.mjs';
import { startPostgres } from './throwaway-postgres.mjs';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '5000' } } });
const documentsMax = Number(values.documents);
const collection = 'things';
const rowsOfImport = 500;
const say = (text) => process.stdout.write(`${text}\n`);

const programs = findPrograms();
if (programs === null || !hasProxy()) {
  say('pg_dump, pg_restore and a server of one version, or haproxy, are not installed: nothing was done');
  process.exit(3);
}
await ensureBuilt(['server']);
const folder = await mkdtemp(path.join(tmpdir(), 'drill-restore-'));
try {
  const dump = path.join(folder, 'vectora.dump');
  const before = await writeAndDump(dump);
  say(
    `dumped in ${before.dumpMs} ms: ${statSync(dump).size} bytes, ${before.answered} documents answered before`,
  );
  const after = await restore(dump, before.key);
  say(
    `restored in ${after.restoreMs} ms, indexes made and verified in ${after.migrateMs} ms: ${after.ids.size} documents; Verify: ${after.isSame ? 'the same' : 'DIFFERENT'}`,
  );
  const missing = Array.from({ length: before.answered }, (_, i) => `d${i}`).filter(
    (id) => !after.ids.has(id),
  );
  say(`missing: ${missing.length}`);
  if (missing.length > 0 || !after.isSame) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Debian's: a client reads servers up to its own version. */
function findPrograms() {
  const base = '/usr/lib/postgresql';
  const folders = existsSync(base) ? readdirSync(base).map((version) => path.join(base, version, 'bin')) : [];
  const wanted = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];
  return folders.find((each) => wanted.every((name) => existsSync(path.join(each, name)))) ?? null;
}

async function writeAndDump(dump) {
  const postgres = await startPostgres(path.join(folder, 'first'), programs);
  const world = await startWorld({ nodes: 1, servers: 1, given: postgres });
  try {
    const key = await freshKey(world.url, { collections: [collection], dimension: 384 });
    let written = 0;
    const write = async () => {
      const rows = Array.from({ length: rowsOfImport }, (_, i) => ({
        id: `d${written + i}`,
        title: `torch number ${written + i}`,
      }));
      await ask(world, {
        key,
        rest: 'documents/import',
        body: rows.map((row) => JSON.stringify(row)).join('\n'),
      });
      written += rowsOfImport;
    };
    while (written < documentsMax) await write();
    let isDumped = false;
    const answered = written;
    const writing = (async () => {
      while (!isDumped) await write();
    })();
    const startedAt = performance.now();
    const { status, stderr } = await run(path.join(programs, 'pg_dump'), ['-Fc', '-f', dump, postgres.url]);
    const dumpMs = Math.round(performance.now() - startedAt);
    isDumped = true;
    await writing;
    if (status !== 0) throw new Error(`pg_dump: ${stderr}`);
    return { key, answered, dumpMs };
  } finally {
    await world.stop();
    await postgres.stop();
  }
}

async function restore(dump, key) {
  const postgres = await startPostgres(path.join(folder, 'second'), programs);
  try {
    const startedAt = performance.now();
    execFileSync(path.join(programs, 'pg_restore'), ['-d', postgres.url, dump]);
    const restoreMs = Math.round(performance.now() - startedAt);
    const beforeServers = async ({ nodeUrls }) => {
      const begunAt = performance.now();
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [at('scripts/migrate.mjs'), '--to', 'opensearch', '--without-copy'],
        {
          encoding: 'utf8',
          env: {
            ...process.env,
            DATABASE_URL: postgres.url,
            OPENSEARCH_URL: nodeUrls.join(','),
            DATA_DIR: path.join(folder, 'none'),
            APP_SECRET: appSecret,
            OPENSEARCH_INDEXES: 'new',
          },
        },
      );
      if (status !== 0) throw new Error(`migrate: ${stdout}${stderr}`);
      return Math.round(performance.now() - begunAt);
    };
    const world = await startWorld({ nodes: 1, servers: 1, given: postgres, beforeServers });
    try {
      const verified = JSON.parse(await ask(world, { key, rest: 'verify', body: '' }));
      const lines = (await ask(world, { key, rest: 'documents/export' })).split('\n').filter(Boolean);
      const ids = new Set(lines.map((line) => JSON.parse(line).id));
      const differences = verified.missing.length + verified.ghosts.length + verified.stale.length;
      const isSame = differences === 0 && verified.indexed === ids.size;
      return { restoreMs, migrateMs: world.prepared, ids, isSame };
    } finally {
      await world.stop();
    }
  } finally {
    await postgres.stop();
  }
}

async function ask({ url }, { key, rest, body }) {
  const answer = await fetch(`${url}/api/collections/${collection}/${rest}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/x-ndjson' }) },
    body: body || undefined,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${rest}: ${answer.status} ${text}`);
  return text;
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  return { status, stderr };
}
