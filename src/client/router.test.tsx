import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from './lib/create-query-client.ts';
import { writeSelection } from './lib/selection.ts';
import { createTrpcClient, createTrpcLoaders } from './lib/trpc.ts';
import { createConsoleRouter, fetchPageAhead } from './router.tsx';
import { ada } from './testing/rows.ts';
import { serveConsole } from './testing/serve-console.ts';

afterEach(() => localStorage.clear());

/** The routes whose code is fetched ahead, and what is asked, in its order. */
async function fetchedAhead(address: string) {
  const { calls } = serveConsole(ada, {
    'collections.fields': () => [],
    'search.hybrid': () => ({ hits: [], facet_counts: [], request: {} }),
  });
  const queryClient = createQueryClient();
  const client = createTrpcClient('http://console.test');
  const router = createConsoleRouter(
    { queryClient, trpc: createTrpcLoaders(queryClient, client), client },
    createMemoryHistory({ initialEntries: [address] }),
  );
  const fetched = vi.spyOn(router, 'loadRouteChunk');
  fetchPageAhead(router);
  const code = fetched.mock.calls.map(([{ id }]) => id);
  await Promise.all(fetched.mock.results.map(({ value }) => value));
  return { code, calls };
}

const askedOf = ({ calls }: Awaited<ReturnType<typeof fetchedAhead>>) => calls.map(({ path }) => path);
const frame = ['auth.me', 'workspaces.list', 'projects.list'];

it('fetches the code of the page that is asked for and what it shows, for who was here before', async () => {
  writeSelection({ workspaceId: 1, projectId: null });
  const ahead = await fetchedAhead('/search?q=robots&collection=1');
  expect(ahead.code).toEqual(['__root__', '/_console', '/_console/search']);
  await expect
    .poll(() => askedOf(ahead).toSorted())
    .toEqual([...frame, 'collections.fields', 'collections.list', 'search.hybrid'].toSorted());
  const search = ahead.calls.find(({ path }) => path === 'search.hybrid');
  expect(search?.input).toMatchObject({ collection: 1, query: 'robots', page: 1, enable_analytics: false });
});

it('fetches none for who may be nobody', async () => {
  const { code, calls } = await fetchedAhead('/search?q=robots');
  expect([code, calls]).toEqual([[], []]);
});
