import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from './lib/create-query-client.ts';
import { writeSelection } from './lib/selection.ts';
import { createTrpcClient, createTrpcLoaders } from './lib/trpc.ts';
import { createConsoleRouter, fetchPageAhead } from './router.tsx';

afterEach(() => localStorage.clear());

/** The routes whose code is fetched ahead. */
async function fetchedAhead(address: string) {
  const queryClient = createQueryClient();
  const client = createTrpcClient();
  const router = createConsoleRouter(
    { queryClient, trpc: createTrpcLoaders(queryClient, client), client },
    createMemoryHistory({ initialEntries: [address] }),
  );
  const fetched = vi.spyOn(router, 'loadRouteChunk');
  fetchPageAhead(router);
  await Promise.all(fetched.mock.results.map(({ value }) => value));
  return fetched.mock.calls.map(([{ id }]) => id);
}

it('fetches the code of the page that is asked for, for who was here before', async () => {
  writeSelection({ workspaceId: 1, projectId: null });
  expect(await fetchedAhead('/search?q=robots')).toEqual(['__root__', '/_console', '/_console/search']);
});

it('fetches none for who may be nobody', async () => {
  expect(await fetchedAhead('/search?q=robots')).toEqual([]);
});
