import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Hono } from 'hono';
import { compose } from '../compose.ts';
import type { Deps } from '../deps.ts';
import { readSettings, type Settings } from '../env.ts';
import { createApp } from '../http/app.ts';
import type { Environment } from '../http/environment.ts';
import type { EngineHost } from '../indexes/host/engine-host.ts';
import { createLog, type Log, type LogLevel } from '../log.ts';
import { holdToDescription } from './contract/hold-to-description.ts';
import { type DatabaseKind, type FreshDatabase, freshDatabase } from './databases.ts';

/**
 * A whole real server without a port: `app.request()` is its HTTP, on a database and a data directory of its own. What it answers is held
 * against the API's description.
 */
export interface Kit {
  app: Hono<Environment>;
  deps: Deps;
  /** What the server has logged, one JSON text a line. */
  logLines: string[];
  /** @throws Error if an answer was not as described */
  close(): Promise<void>;
}

export interface KitOptions {
  /** The Postgres that comes with the product, by DATABASE_URL, unless told. */
  database?: DatabaseKind | 'embedded';
  /** Another server on the same record, closed before that one. */
  beside?: Kit;
  settings?: Partial<Settings>;
  clock?: () => Date;
  /** By which it is told how long requests have been at work. */
  monotonic?: () => number;
  clientDir?: string;
  /** `info` unless told. */
  logLevel?: LogLevel;
  /** Where the engine runs; absent: in its own thread. */
  host?: EngineHost;
}

const rootDir = path.resolve(import.meta.dirname, '../../..');

/** Throttles are out of the way unless a test sets them. */
export const roomy: Partial<Settings> = {
  appSecret: 'a secret for tests, long enough to be one',
  loginFreeTries: 1_000_000,
  loginTriesPerAccount: 1_000_000,
  loginTriesPerAddress: 1_000_000,
  unknownKeysPerAddress: 1_000_000,
  signupsPerAddress: 1_000_000,
  // Nobody listens there.
  mail: { url: 'smtp://127.0.0.1:1', from: 'vectora@example.org' },
  // Of what a real one costs, a hundredth.
  passwordHashBytes: 1024 * 1024,
  passwordHashPasses: 1,
  requestsPerCaller: 1_000_000,
  requestsPerWorkspace: 1_000_000,
  requestsAtOnce: 1_000_000,
  searchDelayMs: 0,
  rateLimitKey: 1_000_000,
  modelRequestsPerMinute: 1_000_000,
  rateLimitSession: 1_000_000,
  rateLimitAddress: 1_000_000,
  demoSearchesPerMinute: 1_000_000,
  workspacesPerAccount: 0,
  // Receivers of tests are on this machine.
  webhooksToPrivateAddresses: true,
  storageReserveBytes: 0,
  // What tests are not about takes no processor.
  embeddings: 'static',
  detectLanguages: false,
  // A database, a thread and a processor beside many tests may be slow.
  databaseWaitMs: 60_000,
  embeddingWaitMs: 60_000,
  searchTimeoutMs: 60_000,
};

/** By `npm run test:opensearch` all servers of tests have their indexes in a cluster. */
const engine: Pick<Settings, 'openSearch'> = {
  openSearch:
    process.env['TEST_SEARCH_ENGINE'] === 'opensearch'
      ? { nodes: process.env['OPENSEARCH_URL']?.split(',') ?? [] }
      : null,
};

/** What tests leave in a cluster takes memory of all that come later. */
async function dropIndexes({ record, indexes }: Deps): Promise<void> {
  for (const { id } of await record.sql`select id from collections`) await indexes.drop(Number(id));
}

/** A data directory of its own for another server on a database. */
async function besideOf({ deps: { settings } }: Kit): Promise<FreshDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vectora-test-'));
  return {
    settings: { dataDir, databaseUrl: settings.databaseUrl },
    cleanup: () => rm(dataDir, { recursive: true, force: true }),
  };
}

export async function startKit(options: KitOptions = {}): Promise<Kit> {
  const { beside } = options;
  const database = beside ? await besideOf(beside) : await freshDatabase(options.database);
  const settings: Settings = {
    ...readSettings({}),
    ...roomy,
    ...engine,
    ...(beside && { openSearch: beside.deps.settings.openSearch }),
    ...database.settings,
    ...options.settings,
  };
  const logLines: string[] = [];
  const log: Log = createLog(options.logLevel ?? 'info', (line) => logLines.push(line));
  try {
    const parts = await compose({
      settings,
      log,
      clock: options.clock ?? (() => new Date()),
      rootDir,
      ...(options.monotonic && { monotonic: options.monotonic }),
      ...(options.host && { host: options.host }),
    });
    const app = createApp(parts.deps, { clientDir: options.clientDir ?? null });
    const { faults } = holdToDescription(app);
    return {
      app,
      deps: parts.deps,
      logLines,
      async close() {
        if (engine.openSearch && !beside) await dropIndexes(parts.deps);
        await parts.stop();
        await database.cleanup();
        if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
      },
    };
  } catch (error) {
    await database.cleanup();
    throw error;
  }
}
