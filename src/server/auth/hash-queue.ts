import { AppError } from '#server/errors.ts';

/**
 * Runs at most `parallel` tasks at once and lets at most `waitingMax` wait; beyond that the caller is told to come back.
 * Each password hash costs megabytes and milliseconds, so a flood of logins must not pile them up.
 */
export function createHashQueue(parallel: number, waitingMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      if (waiting.length >= waitingMax) {
        throw new AppError('TOO_MANY_REQUESTS', 'Too many people are signing in; try again in a moment', {
          retryAfterSeconds: 1,
        });
      }
      // The one who finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
