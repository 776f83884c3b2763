import type { MonotonicClock } from './throttle.ts';
import { TurnQueue, type Whose } from './turn-queue.ts';

/** Asks the record, before it is known who asks. */
export type LookUps = <T>(whose: Whose, ask: () => Promise<T>) => Promise<T>;

/** Of the ten connections: each look-up takes about a millisecond. */
const atOnce = 2;
const waitingMax = 128;

/**
 * Strangers have a part of the connections to the database together and take turns at it, so that a flood of keys, cookies, links and names
 * that nobody has keeps nobody from asking and writing who is known.
 * @throws AppError TOO_MANY_REQUESTS when too many strangers wait
 */
export function createLookUps(clock: MonotonicClock): LookUps {
  const refusal = 'Too many strangers are asking; try again in a moment';
  const turns = new TurnQueue({ parallel: atOnce, waitingMax, refusal }, clock);
  return (whose, ask) => ('account' in whose ? ask() : turns.run(whose, ask));
}
