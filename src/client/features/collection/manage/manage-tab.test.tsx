import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Answers } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };
const alias = (name: string, collection: string, collectionId: number) => ({
  name,
  collection,
  collectionId,
  projectId: 1,
  ...times,
});

function open(more: Answers = {}) {
  const { calls } = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 200),
    'aliases.list': () => [alias('movies', 'films', 1), alias('current', 'old films', 2)],
    'aliases.put': (input) => alias((input as { name: string }).name, 'films', 1),
    'collections.repair': () => ({ documents: 200 }),
    ...more,
  });
  const sent = (path: string) => calls.filter((call) => call.path === path).map(({ input }) => input);
  return { ...renderConsole('/collections/1?tab=manage'), sent };
}

it('makes aliases, and says whose one is before it is moved', async () => {
  const { sent } = open();
  const panel = within(await screen.findByRole('region', { name: 'Aliases' }));
  await panel.findByText('movies');
  expect(panel.queryByText('current')).toBeNull();
  await userEvent.type(panel.getByRole('textbox', { name: 'Alias' }), 'current');
  expect(panel.getByRole('status').textContent).toContain('“old films”');
  await userEvent.click(panel.getByRole('button', { name: 'Move it here' }));
  await waitFor(() => expect(sent('aliases.put')).toEqual([{ name: 'current', collection: 1 }]));
});

it('rebuilds the index and says of how many documents', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Rebuild the index' }));
  await screen.findByText('The index was made anew of 200 documents.');
});
