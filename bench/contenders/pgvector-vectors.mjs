/** pgvector: HNSW by cosine, over the wire; `hnsw.ef_search` is the effort. The Postgres that has it comes from the Python package `pgserver`. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { startPostgres } from '../../scripts/throwaway-postgres.mjs';
import { copyRows } from './copy-rows.mjs';
import { readRows } from './rows.mjs';

let server;
let asked;
let effort = null;

export async function load({ rows: file, asked: questions, dimension, folder }) {
  const rows = await readRows(file, dimension);
  asked = await readRows(questions, dimension);
  server = await startPostgres(path.join(folder, 'pgvector'), programs());
  const { sql } = server;
  await sql`create extension vector`;
  await sql.unsafe(`create table papers (id int, vector vector(${dimension}))`);
  await copyRows(sql`copy papers from stdin`, cells(rows));
  // The graph in memory while it is made; what does not fit would be written and read again.
  await sql`set maintenance_work_mem = '1GB'`;
  await sql`create index on papers using hnsw (vector vector_cosine_ops) with (m = 16, ef_construction = 128)`;
  await sql`analyze papers`;
  return rows.count;
}

export async function ask(number, kind) {
  const { sql } = server;
  if (kind !== null && kind !== undefined && kind !== effort) {
    effort = kind;
    await sql.unsafe(`set hnsw.ef_search = ${Number(kind)}`);
  }
  const vector = `[${asked.row(number).join(',')}]`;
  const rows = await sql`select id from papers order by vector <=> ${vector}::vector limit 10`;
  return rows.map(({ id }) => String(id));
}

export async function stop() {
  await server?.stop();
}

async function* cells(rows) {
  for (let i = 0; i < rows.count; i += 1) yield [String(i), `[${rows.row(i).join(',')}]`];
}

function programs() {
  const found = spawnSync(
    process.env.BENCH_PYTHON ?? 'python3',
    ['-c', 'import pgserver; print(pgserver.__path__[0])'],
    { encoding: 'utf8' },
  );
  if (found.status !== 0) throw new Error(`pgserver is not installed: ${found.stderr}`);
  return path.join(found.stdout.trim(), 'pginstall', 'bin');
}
