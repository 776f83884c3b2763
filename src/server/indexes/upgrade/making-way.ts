import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** What the thread of requests does in so much of its time comes from the upgrades themselves, and from whoever asks now and then. */
const quietShare = 0.1;
/** At this share somebody asks without end, or imports. */
const busyShare = 0.5;
/** With two processors, the rest in terms of the work before it: a sixteenth of the time is left to work, so that everything is upgraded some day. */
const restsMax = 15;

/** A thread that waits long for a processor has worked less than it took, and the requests may be over. */
const restMsMax = 1_000;

/** Resolves when work may go on that nobody waits for, of which so many milliseconds were just done; at once when the signal is aborted: what is done is not lost by that. */
export type MakesWay = (workedMs: number, signal: AbortSignal) => Promise<void>;

interface Seen {
  /** Of the time since the last look, 0 to 1: what the thread of requests was at work. */
  busyShareNow: () => number;
  processors: number;
  rest: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * A thread of low priority gives its processor away, but not what it shares with the others: two processors are often two halves of one core, and searches
 * take half as long again beside one that computes without a pause. So it rests while there are requests, the longer the busier it is.
 */
export function createMakingWay(seen: Seen = ofThisProcess()): MakesWay {
  const { busyShareNow, processors, rest } = seen;
  return async (workedMs, signal) => {
    const share = busyShareNow();
    if (share < quietShare) return;
    const rests = (restsMax * Math.min(1, share / busyShare) * 2) / Math.max(2, processors);
    await rest(Math.min(restMsMax, workedMs * rests), signal);
  };
}

function ofThisProcess(): Seen {
  let last = performance.eventLoopUtilization();
  return {
    busyShareNow() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    processors: availableParallelism(),
    // It rejects when it is aborted.
    rest: (ms, signal) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined),
  };
}
