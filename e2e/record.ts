import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';

/** The record of the server under test, past the server: for faults that no request can make. */
export async function inRecord(work: (sql: Sql) => Promise<void>): Promise<void> {
  const sql = postgres({ path: socketPath(), username: 'postgres', database: 'postgres', max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** Whoever has the data folder says where its database listens. */
function socketPath(): string {
  const lock = path.join(process.env['E2E_DATA_DIR'] ?? '', 'data/lock');
  const holder = readdirSync(lock).sort().at(-1) ?? '';
  const { socketFolder } = JSON.parse(readFileSync(path.join(lock, holder), 'utf8')) as {
    socketFolder: string;
  };
  return path.join(socketFolder, '.s.PGSQL.5432');
}
