import type { Steps } from '../steps.ts';
import { readsSoFar } from './checked-reads.ts';

/** Runs all steps. @returns the result, and the most reads of typed arrays between two pauses */
export function longestStep<Result>(steps: Steps<Result>): { result: Result; reads: number; steps: number } {
  let reads = 0;
  let count = 0;
  let before = readsSoFar();
  for (;;) {
    const step = steps.next();
    const now = readsSoFar();
    reads = Math.max(reads, now - before);
    before = now;
    count += 1;
    if (step.done) return { result: step.value, reads, steps: count };
  }
}
