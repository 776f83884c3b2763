/** Work in slices: yields where it may pause, at least every few thousand units of work; returns its result. */
export type Steps<Result> = Generator<void, Result, void>;

/** Units of work between two pauses: documents, postings, words. Some ten microseconds. */
export const stepUnits = 4_096;

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
