import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#server/log.ts';
import type { RunningServer } from './node-server.ts';

/** Whether new requests should come to this server. `GET /ready` tells it to proxies. */
export interface Readiness {
  isDraining: boolean;
}

interface StopParts {
  server: Pick<RunningServer, 'close'>;
  readiness: Readiness;
  /** Streams that would go on for ever, and are opened anew elsewhere. */
  endStreams: () => void;
  /** How long everything is still served while `GET /ready` is 503. */
  drainMs: number;
  log: Log;
  pause?: (milliseconds: number) => Promise<unknown>;
}

const closingTimes = { graceMs: 10_000, keptAliveMs: 1_000 };

/**
 * Stops serving without a request that is refused, where a proxy asks `GET /ready`: it is told first, and has `drainMs` to send requests elsewhere; the
 * listening socket is closed after that.
 */
export async function stopServing({
  server,
  readiness,
  endStreams,
  drainMs,
  log,
  pause = wait,
}: StopParts): Promise<void> {
  readiness.isDraining = true;
  if (drainMs > 0) {
    log.info('draining: not ready any more, and serving until then', { milliseconds: drainMs });
    await pause(drainMs);
  }
  log.info('stopping');
  // A stream would be waited for as long as for any answer.
  endStreams();
  await server.close(closingTimes);
}
