import type { Held } from '#server/admission/byte-shares.ts';
import type { Context } from './context.ts';

/** By the signal of a request: the end of the last of its calls so far. */
const lastCalls = new WeakMap<AbortSignal, Promise<unknown>>();

/**
 * Of the calls of a request that hold much in memory while they work, one after the other. What each holds is counted among the answers of its
 * tenant, and is free again when it is over.
 * @throws the signal's reason, what the call throws
 */
export async function oneAtATime<Result>(
  { held, request: { signal } }: Pick<Context, 'held' | 'request'>,
  call: (held: Held) => Promise<Result>,
): Promise<Result> {
  const before = lastCalls.get(signal);
  const own = (async () => {
    await before;
    signal.throwIfAborted();
    const part = held.answer.part();
    try {
      return await call(part);
    } finally {
      part.release();
    }
  })();
  lastCalls.set(
    signal,
    own.catch(() => undefined),
  );
  return await own;
}
