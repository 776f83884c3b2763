import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, projectRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

it('shows that the next page is on its way, until it is there', async () => {
  let answer: (project: unknown) => void = () => {};
  serveConsole(ada, {
    'projects.get': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    'apiKeys.list': () => [],
  });
  const page = renderConsole('/dashboard');
  await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
  await waitFor(() => expect(screen.queryByTestId('progress')).toBe(null));
  void page.router.navigate({ to: '/projects/$id', params: { id: 1 } });
  expect(await screen.findByTestId('progress')).toBeDefined();
  answer(projectRow(1, 'Storefront', 1));
  await screen.findByRole('heading', { name: 'Storefront', level: 1 });
  await waitFor(() => expect(screen.queryByTestId('progress')).toBe(null));
});
