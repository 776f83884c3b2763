import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const many = Array.from({ length: 240 }, (_, i) => collectionRow(i + 1, `collection ${i + 1}`, i));

function open(address: string) {
  serveConsole(ada, { 'collections.list': (input) => ((input as { page: number }).page === 1 ? many : []) });
  return renderConsole(address);
}

const names = () =>
  within(screen.getByRole('main'))
    .getAllByRole('link', { name: /^collection \d+$/ })
    .map(({ textContent }) => textContent);

it('shows a page of many, and leads to the others', async () => {
  const page = open('/collections?sort=documents');
  expect(await screen.findByText('240 collections')).toBeDefined();
  expect(names().length).toBe(24);
  expect(names()[0]).toBe('collection 240');
  await userEvent.click(await screen.findByRole('button', { name: 'Page 10' }));
  await waitFor(() => expect(names()[0]).toBe('collection 24'));
  expect(page.router.state.location.search).toMatchObject({ page: 10, sort: 'documents' });
});

it('filters from the first page on', async () => {
  open('/collections?page=10&sort=name');
  await screen.findByText('240 collections');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search collections' }), '24');
  await waitFor(() =>
    expect(names()).toEqual(['collection 124', 'collection 224', 'collection 24', 'collection 240']),
  );
});

it('is a table where that is asked for, in the order asked for', async () => {
  const page = open('/collections');
  await screen.findByText('240 collections');
  await userEvent.click(screen.getByText('List'));
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('row').length).toBe(25);
  expect(page.router.state.location.search).toMatchObject({ view: 'list' });
  await userEvent.click(screen.getByRole('combobox', { name: 'Sort by' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Most documents' }));
  await waitFor(() => expect(names()[0]).toBe('collection 240'));
});
