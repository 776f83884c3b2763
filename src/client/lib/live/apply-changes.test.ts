import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../create-query-client.ts';
import { applyChanges } from './apply-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Long enough for changes to be applied. */
const aWhileMs = 1_000;

function setUp() {
  const queryClient = createQueryClient();
  const applied = applyChanges(queryClient);
  const change = (id: number | null, noun = 'documents') =>
    applied.take({
      kind: 'change',
      position: 'p',
      change: { workspaceId: 1, noun, id, requestId: null },
    });
  return { queryClient, applied, change };
}

it('what is asked for more slowly than it changes is answered, and asked for once more', async () => {
  const { queryClient, applied, change } = setUp();
  const fetches: { signal: AbortSignal; answer: () => void }[] = [];
  const stop = new QueryObserver(queryClient, {
    queryKey: [['search'], 'page'],
    queryFn: ({ signal }) =>
      new Promise<number>((resolve) => {
        fetches.push({ signal, answer: () => resolve(fetches.length) });
      }),
  }).subscribe(() => {});
  for (let i = 0; i < 5; i += 1) {
    change(7);
    await vi.advanceTimersByTimeAsync(aWhileMs);
  }
  expect(fetches.map(({ signal }) => signal.aborted)).toEqual([false]);
  fetches[0]?.answer();
  await vi.advanceTimersByTimeAsync(aWhileMs);
  expect(queryClient.getQueryData([['search'], 'page'])).toBe(1);
  expect(fetches.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  fetches[1]?.answer();
  await vi.advanceTimersByTimeAsync(aWhileMs);
  expect(fetches).toHaveLength(2);
  stop();
  applied.stop();
  queryClient.clear();
});

it.each<[what: string, key: unknown[], collections: number[] | undefined, isConcerned: boolean]>([
  ['a page of hits of the collection', [['search'], 'page'], [7], true],
  ['one of several', [['search'], 'page'], [1, 7], true],
  ['one of another collection', [['search'], 'page'], [1], false],
  ['one of any', [['search'], 'page'], undefined, true],
  ['a document of the collection', [['documents', 'get'], { input: { collection: 7 } }], undefined, true],
  ['a document of another', [['documents', 'get'], { input: { collection: 1 } }], undefined, false],
  ['the list that counts them', [['collections', 'list'], { input: { workspaceId: 1 } }], undefined, true],
  ['that of another workspace', [['collections', 'list'], { input: { workspaceId: 2 } }], undefined, false],
])('documents of a collection change: %s', async (_, queryKey, collections, isConcerned) => {
  const { queryClient, applied, change } = setUp();
  const meta = collections ? { collections } : {};
  await queryClient.prefetchQuery({ queryKey, queryFn: () => 'known', meta });
  change(7);
  await vi.advanceTimersByTimeAsync(aWhileMs);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(isConcerned);
  applied.stop();
  queryClient.clear();
});
