/**
 * What one statement costs in processor time, in this process and in its Postgres backend, prepared and not:
 *
 *   node scripts/measure-statements.mjs [--count 3000]
 *
 * The statement is the look-up of an API key (three tables), as the query builder writes it, on an embedded database in a temporary
 * folder. The backend's figures need Linux.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import postgres from 'postgres';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { count: { type: 'string', default: '3000' } } });
const count = Number(values.count);

/** The server's own driver and its look-up. */
const source = `
  export { createDriver, createDatabase } from './src/server/db/driver.ts';
  export { openRecord } from './src/server/db/open-record.ts';
  export { createLog } from './src/server/log.ts';
  import { and, eq, isNull } from 'drizzle-orm';
  import { apiKeys } from './src/server/db/schema/api-keys.ts';
  import { projects, workspaces } from './src/server/db/schema/workspaces.ts';
  export const findKey = (db, hash) => db
    .select({ key: apiKeys, workspaceId: projects.workspaceId })
    .from(apiKeys)
    .innerJoin(projects, and(eq(projects.id, apiKeys.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(eq(apiKeys.hash, hash));`;

async function loadServerParts() {
  const outfile = path.join(root, 'node_modules/.cache', `measure-statements-${process.pid}.mjs`);
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'silent',
  });
  const parts = await import(pathToFileURL(outfile).href);
  await rm(outfile);
  return parts;
}

const hash = new Uint8Array(32).fill(7);

async function fill(sql) {
  await sql`
    with w as (insert into workspaces (name, slug) values ('w', 'w') returning id),
      p as (insert into projects (workspace_id, name, slug) select id, 'p', 'p' from w returning id)
    insert into api_keys (project_id, name, hash, ciphertext, last_four, permissions)
    select id, 'k', ${Buffer.from(hash)}, '', '0000', '{read}' from p`;
}

/** Microseconds of processor time that a process has used; NaN where the system does not tell. */
async function cpuOf(pid) {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[0] || Number.NaN) / 1_000;
}

async function measure(name, sql, statement) {
  const [{ pid }] = await sql.unsafe('select pg_backend_pid() as pid');
  for (let i = 0; i < 500; i++) await statement();
  const since = { own: process.cpuUsage(), backend: await cpuOf(pid), wall: performance.now() };
  for (let i = 0; i < count; i++) await statement();
  const { user, system } = process.cpuUsage(since.own);
  const each = (us) => (us / count / 1_000).toFixed(3);
  const backend = (await cpuOf(pid)) - since.backend;
  const wall = (performance.now() - since.wall) * 1_000;
  process.stdout.write(
    `${name.padEnd(32)} ms each: this process ${each(user + system)}, backend ${each(backend)}, both ${each(user + system + backend)}, waited ${each(wall)}\n`,
  );
}

const parts = await loadServerParts();
const log = parts.createLog('silent');
const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-measure-'));
const record = await parts.openRecord({
  settings: { dataDir, databaseUrl: null, storageReserveBytes: 0 },
  migrationsFolder: path.join(root, 'drizzle'),
  log,
});
const { path: socketPath, user, database, types } = record.sql.options;
const own = parts.createDriver({ target: { socketPath }, max: 1, log });
const plain = postgres({ path: socketPath, user, database, types, max: 1, onnotice: () => undefined });
try {
  await fill(plain);
  const builders = { own: parts.createDatabase(own), plain: parts.createDatabase(plain) };
  const text = parts.findKey(builders.plain, hash).toSQL().sql;
  await measure('query builder, not prepared', plain, () => parts.findKey(builders.plain, hash));
  await measure('query builder, prepared', own, () => parts.findKey(builders.own, hash));
  const bytes = [Buffer.from(hash)];
  await measure('the same text, not prepared', plain, () => plain.unsafe(text, bytes, { prepare: false }));
  await measure('the same text, prepared', plain, () => plain.unsafe(text, bytes, { prepare: true }));
} finally {
  await Promise.all([own.end(), plain.end()]);
  await record.close();
  await rm(dataDir, { recursive: true });
}
