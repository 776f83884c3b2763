import { AppError } from '#server/errors.ts';
import { LateTurnError } from './overload.ts';
import type { SerialQueue } from './serial-queue.ts';
import { unlessAborted } from './unless-aborted.ts';

interface TurnLimits {
  /** How long it waits for its turn; however long the task takes then. */
  waitMs: number;
  signal: AbortSignal | undefined;
}

/**
 * What a task comes to in a collection's turn. One whose turn comes too late, or whose caller has gone before, is not begun; one that was
 * begun goes on. @throws AppError UNAVAILABLE, the signal's reason, what the task throws
 */
export async function runInTime<T>(
  turns: SerialQueue<number>,
  collectionId: number,
  { waitMs, signal }: TurnLimits,
  task: () => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLate()), waitMs);
  const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const begin = () => {
    clearTimeout(timer);
    return task();
  };
  const run = turns.run(collectionId, begin, ends);
  try {
    return await unlessAborted(run, ends);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(): AppError {
  const message = 'The index of this collection is being made or changed; try again in a moment';
  return new AppError('UNAVAILABLE', message, { cause: new LateTurnError(message), retryAfterSeconds: 5 });
}
