import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '#server/log.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

export interface EmbeddedServerOptions {
  /** PGlite's own folder. */
  folder: string;
  /** At most 107 bytes: longer ones are cut without a word. */
  socketPath: string;
  log: Log;
  /** How often the thread is asked whether it answers, and how many unanswered beats mean that it hangs. */
  beatMs: number;
  beatsMissedMax: number;
  /** Proves that the reopened database answers and is the one that was there; rejects otherwise. */
  verify: () => Promise<void>;
}

/** The embedded database, listening on its socket; opened again by itself when its thread hangs or dies. */
export interface EmbeddedServer {
  isUp(): boolean;
  stop(): Promise<void>;
}

const startWithinMs = 120_000;
const stopWithinMs = 8_000;
const retryMs = 1_000;

/** @throws Error when the first opening fails */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { log } = options;
  let watchdog: Watchdog | null = null;
  let isUp = false;
  let isStopping = false;
  let worker = await launch();
  let recovery: Promise<void> = Promise.resolve();
  watch();
  isUp = true;

  async function launch(): Promise<Worker> {
    await rm(options.socketPath, { force: true });
    const launched = await openWorker(options);
    launched.on('message', (message: FromWorker) => {
      if (message === 'pong') watchdog?.answered();
    });
    launched.once('error', (error) => fail(launched, 'broke down', error));
    launched.once('exit', (code) => fail(launched, `ended with code ${code}`));
    return launched;
  }

  function watch(): void {
    const watched = worker;
    watchdog = startWatchdog({
      beatMs: options.beatMs,
      beatsMissedMax: options.beatsMissedMax,
      ask: () => watched.postMessage('ping' satisfies ToWorker),
      onSilence: () => fail(watched, 'does not answer'),
    });
  }

  /** Everything committed is in PGlite's files already, so ending the thread loses only what was never answered. */
  function fail(failed: Worker, reason: string, error?: unknown): void {
    if (failed !== worker || !isUp || isStopping) return;
    isUp = false;
    watchdog?.stop();
    log.error('the embedded database is opened again', { reason, error });
    recovery = recover(failed);
  }

  async function recover(failed: Worker): Promise<void> {
    await failed.terminate();
    while (!isStopping) {
      try {
        worker = await launch();
        await options.verify();
        isUp = true;
        watch();
        log.warn('the embedded database answers again');
        return;
      } catch (error) {
        log.error('the embedded database cannot be opened again yet', { error });
        await worker.terminate();
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  return {
    isUp: () => isUp,
    async stop() {
      isStopping = true;
      watchdog?.stop();
      await recovery;
      if (isUp) await stopWorker(worker, log);
      isUp = false;
    },
  };
}

/** Node 20 starts no TypeScript in a thread: from the sources the built worker is taken, in the bundle it lies beside this code. */
function workerFile(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? '../../../../dist/server/db-worker.js' : './db-worker.js',
    import.meta.url,
  );
}

function openWorker({ folder, socketPath }: EmbeddedServerOptions): Promise<Worker> {
  const worker = new Worker(workerFile(), { workerData: { folder, socketPath } satisfies WorkerStart });
  return new Promise((resolve, reject) => {
    const give = (error: Error | null) => {
      clearTimeout(timer);
      // One by one: `removeAllListeners()` would also take away Node's own, and no message would arrive any more.
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (error) {
        void worker.terminate();
        reject(error);
      } else resolve(worker);
    };
    const timer = setTimeout(
      () => give(new Error(`The embedded database was not open after ${startWithinMs / 1000} seconds`)),
      startWithinMs,
    );
    const onMessage = () => give(null);
    const onError = (error: unknown) => give(error instanceof Error ? error : new Error(String(error)));
    const onExit = (code: number) => give(new Error(`The embedded database ended with code ${code}`));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/** Writes a checkpoint and closes; a thread that cannot do so in time is ended, which loses nothing either. */
async function stopWorker(worker: Worker, log: Log): Promise<void> {
  const isClean = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), stopWithinMs);
    const end = (clean: boolean) => {
      clearTimeout(timer);
      resolve(clean);
    };
    worker.on('message', (message: FromWorker) => {
      if (message === 'stopped') end(true);
    });
    worker.once('error', () => end(false));
    worker.postMessage('stop' satisfies ToWorker);
  });
  if (!isClean)
    log.warn('the embedded database was ended without a checkpoint; it replays its log at the next start');
  await worker.terminate();
}
