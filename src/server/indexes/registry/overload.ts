import { causesOf } from '#server/errors.ts';
import { EngineBusyError } from '../host/call-errors.ts';
import { NoMemoryLeftError } from './memory-errors.ts';

/** The collection's turn did not come in time. */
export class LateTurnError extends Error {}

/** Whether it was waited for something in vain because others had it: what asks next would wait as long. */
export function isOverload(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const isBusy = 'code' in cause && cause.code === 'POOL_BUSY';
    if (isBusy || cause instanceof EngineBusyError) return true;
    if (cause instanceof NoMemoryLeftError || cause instanceof LateTurnError) return true;
  }
  return false;
}
