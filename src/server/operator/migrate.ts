import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { RecordStore } from '#server/db/client.ts';
import { copyRecord, HoldsAnother } from '#server/db/copy-record.ts';
import { forgetMoved, movedTo, noteMoved, refuseMoved } from '#server/db/moved-away.ts';
import { openRecord } from '#server/db/open-record.ts';
import { readSettings, type Settings } from '#server/env.ts';
import { createLog } from '#server/log.ts';
import { Cluster, clientOf } from '#server/opensearch/cluster.ts';
import { claimIndexes, disownIndexes } from '#server/opensearch/index-owner.ts';
import type { Terminal } from './beside-server.ts';
import { buildIndexes } from './build-indexes.ts';

const usage = `Say where to: npm run migrate -- --to opensearch [--without-copy [--new-indexes]], or --to embedded`;

export interface MigrateTerminal extends Terminal {
  /** The repository's folder. */
  root: string;
}

/**
 * `npm run migrate -- --to opensearch`, while no server runs: copies the record of `DATA_DIR` to `DATABASE_URL`, makes the index of each collection in the
 * cluster of `OPENSEARCH_URL`, verifies it, and lets no server start on what was copied any more. What an interrupted run has done is not done again.
 * `--to embedded` copies the record back.
 * @throws Error, to be printed as it is
 */
export async function runMigrate(args: string[], terminal: MigrateTerminal): Promise<void> {
  const { to, ...how } = readArguments(args);
  const settings = readSettings(terminal.env, { SEARCH_ENGINE: to });
  if (to === 'embedded') await toEmbedded(settings, terminal);
  else await toCluster(settings, terminal, how);
}

interface ToCluster {
  /** The record is in `DATABASE_URL` already. */
  isCopied: boolean;
  /** Those in the cluster are not this database's, whatever Postgres says. */
  makesNew: boolean;
}

const options = {
  to: { type: 'string' },
  'without-copy': { type: 'boolean', default: false },
  'new-indexes': { type: 'boolean', default: false },
} as const;

function readArguments(args: string[]): { to: 'opensearch' | 'embedded' } & ToCluster {
  const { to, 'without-copy': isCopied, 'new-indexes': makesNew } = parsed(args);
  if (to !== 'opensearch' && to !== 'embedded') throw new Error(usage);
  if ((isCopied && to === 'embedded') || (makesNew && !isCopied)) throw new Error(usage);
  return { to, isCopied, makesNew };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

async function toCluster(
  settings: Settings,
  terminal: MigrateTerminal,
  { isCopied, makesNew }: ToCluster,
): Promise<void> {
  const { openSearch, databaseUrl, dataDir, appSecret } = settings;
  if (openSearch === null) throw new Error(usage);
  const isMoving = databaseUrl !== null && !isCopied && (await hasEmbeddedRecord(dataDir));
  const destination = databaseUrl === null ? '' : withoutPassword(databaseUrl);
  const cluster = new Cluster(await clientOf(openSearch.nodes));
  try {
    // Before anything is copied.
    await cluster.ask({ method: 'GET', path: '/' });
    const record = await open(settings, terminal, databaseUrl);
    try {
      if (isMoving) await move(terminal, { settings, record, destination });
      else if (databaseUrl !== null && !isCopied) await assertHasRecord(record, terminal, dataDir);
      if (makesNew) await disownIndexes(record.sql);
      else await claimIndexes(record.sql, openSearch.indexes);
      await buildIndexes({ cluster, record, log: quietLog(), print: terminal.print });
    } finally {
      await record.close();
    }
  } finally {
    await cluster.close();
  }
  const lines = [
    'SEARCH_ENGINE=opensearch',
    `OPENSEARCH_URL=${openSearch.nodes.map(withoutPassword).join(',')}`,
    ...(databaseUrl === null ? [] : [`DATABASE_URL=${destination}`]),
    secretLine(appSecret === null ? `what is in ${path.join(dataDir, 'app-secret')}` : 'as it is'),
  ];
  const former = isMoving ? `\n  The database in ${dataDir} is as it was; keep it until you are sure.\n` : '';
  terminal.print(`\n  All is there. Start each server with these settings:\n\n${indented(lines)}\n${former}`);
}

/** From the copy on no server starts where it was: what was written there would be missing. */
async function move(
  terminal: MigrateTerminal,
  { settings, record, destination }: { settings: Settings; record: RecordStore; destination: string },
): Promise<void> {
  const { dataDir } = settings;
  const mark = path.join(dataDir, 'moved');
  // What goes on elsewhere is not copied once more; the same database may be spelt in another way.
  if (!(await hasAccounts(record))) await refuseMoved(dataDir, destination);
  const from = () => open(settings, terminal, null);
  const onCopied = () =>
    noteMoved(dataDir, destination).catch((cause: unknown) => {
      throw new Error(`The record is copied, and ${mark} cannot be written: mend that, and run this again`, {
        cause,
      });
    });
  await copy(terminal, { from, to: record, onCopied }).catch(async (error: unknown) => {
    if (!(error instanceof HoldsAnother) || (await movedTo(dataDir)) === null) throw error;
    throw new Error(
      `The record of ${dataDir} was moved there before, and one of both was written to since. To make the indexes of what is there: npm run migrate -- --to opensearch --without-copy. To move it anew: remove ${mark}, and name an empty database.`,
      { cause: error },
    );
  });
  terminal.print(`  No server starts on ${dataDir} any more; to go back remove ${mark}\n`);
}

/** An account in it, so that a forgotten DATA_DIR is not taken for one that has nothing to move. */
async function assertHasRecord(
  record: RecordStore,
  { print }: MigrateTerminal,
  dataDir: string,
): Promise<void> {
  if (!(await hasAccounts(record)))
    throw new Error(
      `There is nothing to move: ${dataDir} has no record, and the database in DATABASE_URL no account. Set DATA_DIR to the folder of the server that is to be moved.`,
    );
  print(`  ${dataDir} has no record: the one in DATABASE_URL is indexed\n`);
}

async function hasAccounts({ sql }: RecordStore): Promise<boolean> {
  return (await sql`select 1 from users limit 1`).length > 0;
}

async function toEmbedded(settings: Settings, terminal: MigrateTerminal): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== null) {
    const record = await open(settings, terminal, null);
    try {
      await copy(terminal, { from: () => open(settings, terminal, databaseUrl), to: record });
    } finally {
      await record.close();
    }
    await forgetMoved(dataDir);
  } else await refuseMoved(dataDir);
  const lines = [
    'SEARCH_ENGINE=embedded',
    'DATABASE_URL=',
    `DATA_DIR=${dataDir}`,
    secretLine('as the servers had it'),
  ];
  terminal.print(`\n  All is there. Start one server with these settings; it makes an index when its collection is first used:\n\n${indented(lines)}

  The indexes in the cluster are not used any more.
`);
}

const indented = (lines: string[]) => lines.map((line) => `    ${line}`).join('\n');

async function copy(
  { print }: MigrateTerminal,
  {
    from,
    to,
    onCopied = async () => undefined,
  }: { from: () => Promise<RecordStore>; to: RecordStore; onCopied?: () => Promise<void> },
): Promise<void> {
  const source = await from();
  try {
    print('  Copying the record\n');
    const tell = (table: string, rows: number) => {
      if (rows > 0) print(`    ${table}: ${rows}\n`);
    };
    const isNew = await copyRecord({ from: source, to, log: quietLog(), tell });
    // While nobody else can open what was copied.
    await onCopied();
    print(isNew ? '  Copied, and each row compared\n' : '  The record is copied already\n');
  } finally {
    await source.close();
  }
}

/** Alone: no server may write what is copied, or in what is copied to. */
function open(
  { dataDir, storageReserveBytes, ...settings }: Settings,
  { root }: MigrateTerminal,
  databaseUrl: string | null,
): Promise<RecordStore> {
  return openRecord({
    settings: { dataDir, databaseUrl, storageReserveBytes },
    // Copied from, or back to: not one to go on with.
    evenMoved: settings.databaseUrl !== null,
    log: quietLog(),
    migrationsFolder: path.join(root, 'drizzle'),
  });
}

const quietLog = () => createLog('warn');

/** @throws Error for one that this account may not look into */
async function hasEmbeddedRecord(dataDir: string): Promise<boolean> {
  try {
    await access(path.join(dataDir, 'postgres', 'data', 'PG_VERSION'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

const secretLine = (which: string) => `APP_SECRET=<${which}, the same for all servers>`;

function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  return url.href.replace(/\/$/, '');
}
