import { AsyncLocalStorage } from 'node:async_hooks';
import { min } from 'drizzle-orm';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { type DeliverParts, deliverDue } from './deliver-due.ts';

/** What nobody told of is found by then: what another server left, or what was due while the record was away. */
const everyMs = 20_000;
const soonestMs = 1_000;

/** Sends messages when they are due: soon after an alert is raised or resolved, and when one is to be tried again. `stop` breaks off what is on its way. */
export function startDeliveries(parts: DeliverParts): { stop(): Promise<void> } {
  const { record, log, clock } = parts;
  const stopping = new AbortController();
  const outside = AsyncLocalStorage.snapshot();
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  let isFailing = false;
  let tellAsked: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  const wakeAfter = (ms: number) => {
    if (timer) clearTimeout(timer);
    timer = outside(() => setTimeout(wake, ms).unref());
  };
  const run = async () => {
    let nextMs = everyMs;
    try {
      await deliverDue(parts, { signal: stopping.signal, asked });
      nextMs = await untilNext();
      isFailing = false;
    } catch (error) {
      // Told once: the record may be away for hours.
      if (!isFailing) log.warn('webhooks were not sent; they are at the next turn', { error });
      isFailing = true;
    } finally {
      running = null;
      if (!stopping.signal.aborted) wakeAfter(isAskedAgain ? 0 : nextMs);
      isAskedAgain = false;
    }
  };
  /** Until `wake` is called, or at once if it was since the last time. */
  const asked = () =>
    new Promise<void>((resolve) => {
      tellAsked = () => {
        isAskedAgain = false;
        resolve();
      };
      if (isAskedAgain) tellAsked();
    });
  const untilNext = async () => {
    const [next] = await record.db.select({ at: min(webhookDeliveries.nextAt) }).from(webhookDeliveries);
    const waitMs = next?.at ? next.at.getTime() - clock().getTime() : everyMs;
    return Math.min(everyMs, Math.max(soonestMs, waitMs));
  };
  function wake(): void {
    if (stopping.signal.aborted) return;
    if (!running) {
      running = run();
      return;
    }
    isAskedAgain = true;
    tellAsked?.();
  }

  record.onAct((act) => {
    if (act === null || act.action === 'alerts.change') wake();
  });
  wakeAfter(soonestMs);
  return {
    async stop() {
      stopping.abort();
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
