import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow, projectRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

it('a step back that comes before the step forward is shown empties the box', async () => {
  serveConsole(ada, {
    'workspaces.list': () => [workspaceRow(1, 'Acme')],
    'projects.list': () => [projectRow(1, 'Shop', 1)],
    'collections.list': () => [collectionRow(1, 'films')],
  });
  const { router } = renderConsole('/search');
  const box = (await screen.findByRole('searchbox', { name: 'Search query' })) as HTMLInputElement;
  const steps: string[] = [];
  router.history.subscribe(({ location, action }) => {
    steps.push(`${action.type} ${location.search}`);
    if (action.type === 'PUSH') router.history.back();
  });
  await userEvent.type(box, 'robot');
  await waitFor(() => expect(steps).toEqual(['PUSH ?q=robot', 'BACK ']));
  await waitFor(() => expect(box.value).toBe(''));
  expect(router.state.location.search).not.toMatchObject({ q: 'robot' });
});
