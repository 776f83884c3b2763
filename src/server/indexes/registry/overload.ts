import { causesOf } from '#server/errors.ts';
import { EngineBusyError } from '../host/call-errors.ts';
import { NoMemoryLeftError } from './memory-errors.ts';

/** The collection's turn did not come in time. */
export class LateTurnError extends Error {}

/** What was waited for in vain because others had it; null: it failed for another reason. */
export function overloadOf(error: unknown): 'memory' | 'time' | null {
  for (const cause of causesOf(error)) {
    if (cause instanceof NoMemoryLeftError) return 'memory';
    const isBusy = 'code' in cause && cause.code === 'POOL_BUSY';
    if (isBusy || cause instanceof EngineBusyError || cause instanceof LateTurnError) return 'time';
  }
  return null;
}
