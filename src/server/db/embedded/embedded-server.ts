import { setTimeout as pause } from 'node:timers/promises';
import { isDiskFull } from './ballast.ts';
import { endFormerPostmaster } from './former-postmaster.ts';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';

/** The embedded Postgres, started again by itself when it ends. */
export interface EmbeddedServer {
  isUp(): boolean;
  stop(): Promise<void>;
}

const pausesMs = [100, 500, 1_000, 2_000];
/** Processes of a Postgres that was killed may need a moment to notice it; until then the next one is refused with these words. */
const stillInUse = /still in use|already exists/;
const firstTriesMax = 10;

export interface EmbeddedServerOptions extends PostmasterOptions {
  /** Makes room on a full disk; false when it cannot. */
  makeRoom: () => Promise<boolean>;
}

/** @throws Error with what Postgres said when it cannot be started at all */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { log } = options;
  let running = await startFirst(options);
  let isUp = true;
  let isStopping = false;
  const supervision = supervise();

  async function supervise(): Promise<void> {
    for (;;) {
      const reason = await running.ended;
      isUp = false;
      if (isStopping) return;
      log.error('the embedded database has ended and is started again', { reason });
      const next = await startAgain();
      if (next === null) return;
      running = next;
      isUp = true;
      log.warn('the embedded database runs again');
    }
  }

  async function startAgain(): Promise<Postmaster | null> {
    for (let tries = 0; !isStopping; tries += 1) {
      await pause(pauseBefore(tries));
      try {
        const next = await startWithRoom(options);
        if (!isStopping) return next;
        await next.stop();
      } catch (error) {
        log.error('the embedded database cannot be started again yet', { error });
      }
    }
    return null;
  }

  return {
    isUp: () => isUp,
    async stop() {
      isStopping = true;
      if (isUp) await running.stop();
      await supervision;
    },
  };
}

async function startFirst(options: EmbeddedServerOptions): Promise<Postmaster> {
  await endFormerPostmaster(options.cluster, options.log);
  for (let tries = 1; ; tries += 1) {
    try {
      return await startWithRoom(options);
    } catch (error) {
      const isPassing = error instanceof Error && stillInUse.test(error.message);
      if (!isPassing || tries === firstTriesMax) throw error;
      await pause(pauseBefore(tries));
    }
  }
}

async function startWithRoom(options: EmbeddedServerOptions): Promise<Postmaster> {
  try {
    return await startPostmaster(options);
  } catch (error) {
    if (!isDiskFull(error) || !(await options.makeRoom())) throw error;
    options.log.error('the disk is full: the embedded database gets the space that was kept for it');
    return await startPostmaster(options);
  }
}

function pauseBefore(tries: number): number {
  return pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
}
