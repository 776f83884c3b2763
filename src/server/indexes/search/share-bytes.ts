import type { AnswerTooLargeError } from '#server/engine/search-index.ts';
import { answerTooLarge, findTooLarge } from './answer-bytes.ts';
import { inParallel } from './in-parallel.ts';

export type Outcome<Result> = { result: Result } | { error: unknown };

/**
 * Runs the tasks of one answer, which has `bytesMax` bytes. Each has an equal share at first, several at once; those that need more follow one by one, in
 * their order, with what the others have left. So no more than `bytesMax` bytes are ever held, and which of the tasks fail does not depend on their pace.
 * @throws the signal's reason
 */
export async function shareBytes<Item, Result>(
  items: readonly Item[],
  limits: {
    bytesMax: number;
    countParameter: string;
    bytesOf: (result: Result) => number;
    atOnce: number;
    signal: AbortSignal | undefined;
  },
  task: (item: Item, bytesMax: number) => Promise<Result>,
): Promise<Outcome<Result>[]> {
  const { bytesMax, bytesOf, signal } = limits;
  const share = Math.floor(bytesMax / Math.max(1, items.length));
  const run = async (item: Item, bytes: number): Promise<Outcome<Result>> => {
    try {
      return { result: await task(item, bytes) };
    } catch (error) {
      signal?.throwIfAborted();
      return { error };
    }
  };
  const outcomes = await inParallel(items, limits, (item) => run(item, share));
  let left = outcomes.reduce(
    (sum, outcome) => ('result' in outcome ? sum - bytesOf(outcome.result) : sum),
    bytesMax,
  );
  for (const [i, item] of items.entries()) {
    const tooLarge = tooLargeOf(outcomes[i]);
    if (tooLarge === null) continue;
    // What is known to be larger is not made again.
    const again = tooLarge.bytes > left ? { error: tooLarge } : await run(item, left);
    if ('result' in again) left -= bytesOf(again.result);
    outcomes[i] = inCallersTerms(again, limits);
  }
  return outcomes;
}

/** The limit is the whole answer's. */
function inCallersTerms<Result>(
  outcome: Outcome<Result>,
  limit: Parameters<typeof answerTooLarge>[0],
): Outcome<Result> {
  const tooLarge = tooLargeOf(outcome);
  return tooLarge === null ? outcome : { error: answerTooLarge(limit, tooLarge) };
}

function tooLargeOf(outcome: Outcome<unknown> | undefined): AnswerTooLargeError | null {
  return outcome !== undefined && 'error' in outcome ? findTooLarge(outcome.error) : null;
}
