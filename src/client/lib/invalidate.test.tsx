import type { QueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ada, apiKeyRow, collectionRow } from '#client/testing/rows.ts';
import { createQueryClient } from './create-query-client.ts';
import { invalidate } from './invalidate.ts';
import { type Noun, trpc } from './trpc.ts';

function Rename() {
  const { mutate, status } = trpc.collections.update.useMutation({ meta: { changes: 'collections' } });
  return (
    <button type="button" onClick={() => mutate({ collection: 1, name: 'movies' })}>
      {status}
    </button>
  );
}

const isOutOfDate = (queryClient: QueryClient) =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.isInvalidated)
    .map(({ queryKey }) => String(queryKey[0]));

/** Renames a collection and answers which of the cached lists and results are out of date then. */
async function outOfDateAfterRename(result: unknown): Promise<string[]> {
  answerTrpc({ 'collections.update': () => result });
  const { queryClient, loaders } = renderPart(<Rename />);
  loaders.apiKeys.list.setData({ projectId: 1 }, [apiKeyRow(1, 'Website')]);
  loaders.collections.list.setData({ projectId: 1 }, []);
  loaders.workspaces.list.setData(undefined, []);
  loaders.dashboard.recentActivity.setData({ limit: 8 }, []);
  queryClient.setQueryData([['search'], 'page'], { hits: [] });
  (await screen.findByRole('button')).click();
  await waitFor(() => expect(screen.getByRole('button').textContent).toMatch(/success|error/));
  return isOutOfDate(queryClient);
}

it('a renamed collection makes the lists, keys, results and figures that name it out of date, and nothing else', async () => {
  expect(await outOfDateAfterRename(collectionRow(1, 'movies'))).toEqual([
    'apiKeys,list',
    'collections,list',
    'dashboard,recentActivity',
    'search',
  ]);
});

it('what was refused changes nothing', async () => {
  expect(await outOfDateAfterRename(refuse({ code: 'CONFLICT', message: 'The name is taken' }))).toEqual([]);
});

it.each<[what: string, changed: Noun, outOfDate: string[]]>([
  ['a workspace takes its projects and collections along', 'workspaces', ['collections', 'projects']],
  [
    'a project takes its collections, their results and its keys along',
    'projects',
    ['apiKeys', 'collections', 'search'],
  ],
  ['documents are counted by their collection and shown by searches', 'documents', ['collections', 'search']],
  [
    'a sample makes a collection of documents, and the first project',
    'samples',
    ['collections', 'documents', 'projects', 'search'],
  ],
  ['keys are counted by their project', 'apiKeys', ['projects']],
])('%s', async (_, changed, outOfDate) => {
  const queryClient = createQueryClient();
  const routers = [
    'apiKeys',
    'auth',
    'collections',
    'dashboard',
    'documents',
    'projects',
    'samples',
    'search',
  ];
  for (const name of [...routers, 'workspaces']) queryClient.setQueryData([[name], 'page'], []);
  await invalidate(queryClient, changed);
  expect(isOutOfDate(queryClient)).toEqual([changed, 'dashboard', ...outOfDate].sort());
});

it('a change that the server refuses to somebody it no longer knows ends the session', async () => {
  answerTrpc({ 'collections.update': () => refuse({ code: 'UNAUTHORIZED', message: 'Sign in to do this' }) });
  const { loaders } = renderPart(<Rename />);
  loaders.auth.me.setData(undefined, { user: ada });
  (await screen.findByRole('button')).click();
  expect(await screen.findByText('Session ended')).toBeDefined();
  expect(loaders.auth.me.getData()).toEqual({ user: null });
});
