/** Work in slices: yields where it may pause, at least every few ten thousand units of work; returns its result. */
export type Steps<Result> = Generator<void, Result, void>;

/** Units of work that are done in one go: documents, postings, words. Some ten microseconds. */
export const stepUnits = 4_096;

/** Units of work between two pauses, two or three nanoseconds each: some fifty microseconds. */
const pauseUnits = 4 * stepUnits;
/** Since the last pause, whatever this thread was at: so a search that is small has none, however many parts it has. */
let unitsSincePause = 0;

/** Counts what was done where there can be no pause. */
export function noteWork(units: number): void {
  unitsSincePause += units;
}

/** Counts what was done, and says whether a pause is due. A pause goes up through all generators that wait for each other, which costs as much as some hundred units. */
export function isPauseDue(units: number): boolean {
  noteWork(units);
  if (unitsSincePause < pauseUnits) return false;
  unitsSincePause = 0;
  return true;
}

/** Steps that are over: what returns them has done its work, which costs less than a generator that does it. */
export const noSteps: Steps<void> = {
  next: () => over,
  return: () => over,
  throw(error: unknown): never {
    throw error;
  },
  [Symbol.iterator]: () => noSteps,
};
const over = { done: true, value: undefined } as const;

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
