import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what this thread does not use any more. An index is some arrays outside V8's heap, which V8 gives back when it collects garbage; in a
 * thread that has nothing to do it does not.
 */
export function createGarbageCollector(): () => void {
  // The function is there in contexts that are made with this flag, and in no others.
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => void collect() : () => undefined;
}
