import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

it('leads from a recent collection to it, and says who did what', async () => {
  serveConsole(ada, {
    'dashboard.recentActivity': () => [
      {
        id: 1,
        type: 'collection_created',
        description: 'Collection "films" was created',
        actor: 'Grace Hopper',
        createdAt: new Date().toISOString(),
      },
    ],
  });
  renderConsole('/dashboard');
  const row = await screen.findByRole('link', { name: 'films' });
  expect(row.getAttribute('href')).toBe('/collections/1');
  expect(await screen.findByText('Grace Hopper')).toBeDefined();
});
