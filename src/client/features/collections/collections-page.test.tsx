import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Collection } from '#shared/collections.ts';

const films = { ...collectionRow(1, 'Films', 3), description: 'What is on in CINEMAS' };
const shoes = { ...collectionRow(2, 'Shoes'), isActive: false };

function open(rows: Collection[] = [films, shoes]) {
  serveConsole(ada, { 'collections.list': () => rows });
  return renderConsole('/collections');
}

const main = () => within(screen.getByRole('main'));
const names = () =>
  main()
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

it('filters by name or description, whatever the case', async () => {
  open();
  const box = await screen.findByRole('searchbox', { name: 'Search collections' });
  await screen.findByRole('link', { name: 'Films' });
  for (const [typed, found] of [
    ['SHOE', 'Shoes'],
    ['in cinemas', 'Films'],
  ] as const) {
    await userEvent.clear(box);
    await userEvent.type(box, typed);
    await waitFor(() => expect(names()).toEqual([found]));
  }
});

it('says “No collections found” of a filter and “No collections yet” of a workspace', async () => {
  open();
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search collections' }), 'boats');
  expect(await screen.findByRole('heading', { name: 'No collections found' })).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'No collections yet' })).toBeNull();
});

it('says “No collections yet” where there is none, and offers to create one', async () => {
  open([]);
  expect(await screen.findByRole('heading', { name: 'No collections yet' })).toBeDefined();
  await userEvent.click(main().getAllByRole('button', { name: 'Create Collection' })[0] ?? document.body);
  expect(await screen.findByRole('dialog', { name: 'Create collection' })).toBeDefined();
});

it('has a card for each, with its state, an edit and a delete dialog', async () => {
  open();
  const card = (name: string) =>
    within(screen.getByRole('link', { name }).closest('li') ?? document.createElement('li'));
  await screen.findByRole('link', { name: 'Films' });
  expect(card('Films').getByText('Active')).toBeDefined();
  expect(card('Shoes').getByText('Inactive')).toBeDefined();
  await userEvent.click(card('Films').getByRole('button', { name: 'Delete Films' }));
  const deletes = await screen.findByRole('dialog', { name: 'Delete collection' });
  expect(deletes.textContent).toContain('permanently deletes Films and all documents in the collection');
  await userEvent.click(within(deletes).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(card('Films').getByRole('button', { name: 'Edit Films' }));
  const edits = within(await screen.findByRole('dialog', { name: 'Edit collection' }));
  expect(edits.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Films');
});
