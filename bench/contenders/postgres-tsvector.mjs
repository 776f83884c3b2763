/** Postgres's own words (`tsvector`, a GIN index, `ts_rank`, the title twice), over its wire: any word; the last as a beginning where the question is about it. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../scripts/throwaway-postgres.mjs';
import { linesOf } from '../corpora.mjs';
import { copyRows } from './copy-rows.mjs';

let server;
let folder;

export async function load({ corpus }) {
  folder = await mkdtemp(path.join(os.tmpdir(), 'bench-postgres-'));
  server = await startPostgres(folder);
  const { sql } = server;
  await sql`create table papers (id text, title text, text text, words tsvector generated always as
    (setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'B')) stored)`;
  await copyRows(sql`copy papers (id, title, text) from stdin`, cells(corpus));
  await sql`create index on papers using gin (words)`;
  await sql`vacuum analyze papers`;
  return (await sql`select count(*)::int as count from papers`)[0].count;
}

export async function ask(text, kind) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = words.join(' | ') + (kind === 'as you type' ? ':*' : '');
  const rows = await server.sql`select id from papers, to_tsquery('english', ${query}) as query
    where words @@ query order by ts_rank(${[0.1, 0.2, 0.5, 1]}::real[], words, query) desc limit 10`;
  return rows.map(({ id }) => id);
}

export async function stop() {
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
}

async function* cells(corpus) {
  for await (const { id, title, text } of linesOf(corpus)) yield [id, title, text];
}
