/**
 * Runs the task for each item, at most `atOnce` at a time, and answers in the items' order. The first failure is thrown; nothing new is
 * begun after it, nor after the signal.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { atOnce, signal }: { atOnce: number; signal?: AbortSignal | undefined },
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()].reverse();
  const run = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      try {
        signal?.throwIfAborted();
        results[next[0]] = await task(next[1], next[0]);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run));
  return results;
}
