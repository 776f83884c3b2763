import { expect, it } from 'vitest';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { createTrpcClient, createTrpcLoaders } from '#client/lib/trpc.ts';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { fetchSearchAhead } from './search-ahead.ts';
import { searchState } from './search-state.ts';

it.each([
  ['of another', 77],
  ['that is not active', 2],
])('a collection %s is not searched ahead', async (_, collection) => {
  const { calls } = serveConsole(ada, {
    'collections.list': () => [collectionRow(1, 'films'), { ...collectionRow(2, 'drafts'), isActive: false }],
    'collections.fields': () => [],
  });
  const queryClient = createQueryClient();
  const client = createTrpcClient('http://console.test');
  const context = { queryClient, client, trpc: createTrpcLoaders(queryClient, client) };
  await fetchSearchAhead(context, 1, searchState({ q: 'robots', collection } as never));
  expect(calls.map(({ path }) => path)).toEqual(['collections.fields', 'collections.list']);
});
