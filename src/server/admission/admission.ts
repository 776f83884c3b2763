import type { Settings } from '#server/env.ts';
import { Gate } from './gate.ts';

/** The ways into the server. What is slow by nature does not count as a queue, so it has a way of its own. */
export interface Admission {
  /** Searches and documents: answered from memory, in milliseconds. */
  readonly reads: Gate;
  /** What needs the record. */
  readonly others: Gate;
  /** Imports and exports, which may last hours. */
  readonly streams: Gate;
}

export type AdmissionSettings = Pick<
  Settings,
  'requestsPerCaller' | 'requestsPerWorkspace' | 'requestsAtOnce' | 'searchDelayMs' | 'searchWorkers'
>;

export function createAdmission(
  settings: AdmissionSettings,
  now: () => number = () => performance.now(),
): Admission {
  const { searchDelayMs: delayTargetMs, searchWorkers } = settings;
  const numbers = {
    perCaller: settings.requestsPerCaller,
    perWorkspace: settings.requestsPerWorkspace,
    inAll: settings.requestsAtOnce,
  };
  // Two at each of the engine's threads, and two that are read or answered meanwhile; of a flood one at each, and the same two.
  const delay =
    delayTargetMs === 0
      ? null
      : { delayTargetMs, atOnceMin: 2 * searchWorkers + 2, floodMin: searchWorkers + 2 };
  return {
    reads: new Gate({ ...numbers, delay }, now),
    others: new Gate({ ...numbers, delay: null }, now),
    streams: new Gate({ ...numbers, delay: null }, now),
  };
}
