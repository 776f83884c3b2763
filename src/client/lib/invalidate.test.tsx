import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { apiKeyRow, collectionRow } from '#client/testing/rows.ts';
import { trpc } from './trpc.ts';

function Rename() {
  const { mutate, status } = trpc.collections.update.useMutation({ meta: { changes: 'collections' } });
  return (
    <button type="button" onClick={() => mutate({ collection: 1, name: 'movies' })}>
      {status}
    </button>
  );
}

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
  const queries = queryClient.getQueryCache().getAll();
  return queries.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => String(queryKey[0]));
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
