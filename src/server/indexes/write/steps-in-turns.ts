import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Steps } from '#server/engine/steps.ts';

/** What comes after as much work has a turn of its own. */
const longMs = 2;

/** Runs all steps on the main thread; others have their turns in between. */
export async function stepsInTurns<Result>(requester: Requester, steps: Steps<Result>): Promise<Result> {
  let since = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - since < longMs) continue;
    await loopTurns.next(requester);
    since = performance.now();
  }
}

/** The same with one after the other. */
export function eachInTurns<Item>(
  requester: Requester,
  items: Iterable<Item>,
  work: (item: Item) => Steps<void>,
): Promise<void> {
  return stepsInTurns(requester, each(items, work));
}

function* each<Item>(items: Iterable<Item>, work: (item: Item) => Steps<void>): Steps<void> {
  for (const item of items) {
    yield* work(item);
    yield;
  }
}
