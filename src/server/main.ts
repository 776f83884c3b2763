import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectYoungAlone } from './collect-young-alone.ts';
import { compileEarly } from './compile-early.ts';
import { compose } from './compose.ts';
import { RecordNotOpened } from './db/record-error.ts';
import { readSettings, type Settings } from './env.ts';
import { createApp } from './http/app.ts';
import { listen, type RunningServer } from './http/node-server.ts';
import { type Readiness, stopServing } from './http/stop-serving.ts';
import { createCountFault } from './http/turn-away/count-fault.ts';
import { createTurnAway } from './http/turn-away/turn-away.ts';
import { createLog } from './log.ts';
import { SettingsError } from './settings-error.ts';

/** The one file that does something when it is imported: it reads the settings, builds the parts, serves, and stops when told to. */
interface Running {
  settings: Settings;
  url: string;
  stop(): Promise<void>;
}

async function start(): Promise<Running> {
  collectYoungAlone();
  compileEarly();
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const rootDir = findRoot();
  const parts = await compose({ settings, log, clock: () => new Date(), rootDir });
  const clientDir = path.join(rootDir, 'dist/client');
  const readiness: Readiness = { isDraining: false };
  const app = createApp(parts.deps, { clientDir: existsSync(clientDir) ? clientDir : null, readiness });
  let server: RunningServer;
  try {
    const { deps } = parts;
    const edge = { turnAway: createTurnAway(deps), countFault: createCountFault(deps) };
    server = await listen({ fetch: app.fetch, ...edge }, settings, log);
    deps.monitoring.watchConnections(server.countConnections);
  } catch (error) {
    await parts.stop();
    throw error;
  }
  return {
    settings,
    url: server.url,
    async stop() {
      const endStreams = () => parts.deps.live.stop();
      await stopServing({ server, readiness, endStreams, drainMs: settings.drainMs, log });
      await parts.stop();
      log.info('stopped');
    },
  };
}

/** The repository's folder, from `src/server/main.ts` as from `dist/server/main.js`. */
function findRoot(): string {
  return path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
}

function welcome({ url, settings }: Running): string {
  const address = settings.publicUrl ?? url;
  return `
  Vectora is running at ${address}

    1. Open ${address}/register and create an account.
    2. Load a sample with one click (films, artworks or products), or drop a file anywhere: JSON, NDJSON, CSV.
    3. Click “Search them now”.

  Then make an API key in the project and search from anywhere:

    curl '${address}/api/collections/films/hybrid-search?query=robots+learning+to+love' -H 'X-API-Key: <key>'

  Data: ${settings.databaseUrl === null ? settings.dataDir : 'the Postgres of DATABASE_URL'}. Stop with Ctrl-C.
`;
}

/** What went wrong, for the person at the terminal: one sentence where we know the reason, and all there is where we do not. */
function explain(error: unknown): string {
  if (error instanceof SettingsError || error instanceof RecordNotOpened) return error.message;
  const {
    code,
    port,
    address,
    path: file,
  } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set PORT to another one`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be used by this account`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}. Set HOST to one it has`;
  if (code !== undefined && file !== undefined) return `${file} cannot be used: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const running = start();

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  const server = await running;
  await server.stop();
  process.exit(process.exitCode ?? 0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    stop().catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    });
  });
}

/** Where the server is, once it is; scripts that start it go on from there. */
export const started: Promise<Running> = running;

/** The demo says itself what comes next. */
const isDemo = process.argv.includes('--demo');

running.then(
  (server) => {
    if (!isDemo) process.stdout.write(welcome(server));
  },
  (error: unknown) => {
    process.stderr.write(`Vectora cannot start: ${explain(error)}\n`);
    process.exit(1);
  },
);
