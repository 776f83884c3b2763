import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const films = Array.from({ length: 60 }, (_, i) => ({
  id: `film ${i + 1}`,
  title: `Film number ${i + 1}`,
  year: 1960 + i,
  cast: [{ name: 'Natalya' }, { name: 'Donatas' }],
  seen: i % 2 === 0,
}));
const fields = [
  { path: 'id', types: ['string'], documentCount: 60 },
  { path: 'title', types: ['string'], documentCount: 60 },
  { path: 'year', types: ['number'], documentCount: 60 },
  { path: 'cast.name', types: ['string'], documentCount: 60 },
  { path: 'seen', types: ['boolean'], documentCount: 60 },
];

interface ListInput {
  page: number;
  per_page: number;
  filter_by?: string;
  sort_by?: string;
  include_fields?: string[];
}

/** Knows two filters: what it finds nothing by, and what it cannot read. */
function list({ page, per_page, filter_by, sort_by }: ListInput) {
  if (filter_by === 'yeer:1961') {
    const message = 'no document has the field "yeer"';
    return refuse({
      code: 'BAD_REQUEST',
      message,
      details: [{ path: 'filter_by', message, position: 0 }],
    });
  }
  const passing = filter_by === 'year:>3000' ? [] : films;
  const ordered = sort_by === 'year:desc' ? passing.toReversed() : passing;
  const documents = ordered.slice((page - 1) * per_page, page * per_page);
  return { found: passing.length, page, per_page, documents };
}

function open(address = '/collections/1', more = {}) {
  const asked = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 60),
    'collections.fields': () => fields,
    'documents.list': (input) => list(input as ListInput),
    'documents.getVersion': (input) => {
      const document = films.find(({ id }) => id === (input as { id: string }).id);
      return document
        ? { version: 7, own_embedding: false, document }
        : refuse({ code: 'NOT_FOUND', message: 'Document not found' });
    },
    ...more,
  });
  return { ...renderConsole(address), ...asked };
}

const titles = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('button', { name: /^Film number/ })
    .map(({ textContent }) => textContent);

it('is the first tab: a page of the documents in their most usual fields, and the other pages', async () => {
  const page = open();
  expect((await titles()).length).toBe(25);
  expect(screen.getByText('60 documents', { selector: '[role="status"]' })).toBeDefined();
  const [head, first] = within(screen.getByRole('table')).getAllByRole('row');
  const texts = (row: HTMLElement | undefined, role: 'columnheader' | 'cell') =>
    within(row as HTMLElement)
      .getAllByRole(role)
      .map(({ textContent }) => textContent);
  expect(texts(head, 'columnheader')).toEqual(['Document', 'Year', 'Cast › Name', 'Seen']);
  expect(texts(first, 'cell')).toEqual(['Film number 1film 1', '1960', 'Natalya, Donatas', 'yes']);
  const asked = page.calls.filter(({ path }) => path === 'documents.list').at(-1)?.input as ListInput;
  expect(asked.include_fields).toEqual(['id', 'title', 'name', 'year', 'cast.name', 'seen']);
  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  await waitFor(async () => expect(await titles()).toHaveLength(10));
  expect(page.router.state.location.search).toMatchObject({ page: 3 });
});

it('is sorted by a click on the head of a column, downwards by the next one', async () => {
  const page = open();
  await titles();
  await userEvent.click(screen.getByRole('button', { name: 'Year' }));
  await userEvent.click(screen.getByRole('button', { name: 'Year' }));
  await waitFor(async () => expect((await titles())[0]).toBe('Film number 60'));
  expect(page.router.state.location.search).toMatchObject({ sort: 'year:desc' });
  expect(screen.getByRole('columnheader', { name: 'Year' }).getAttribute('aria-sort')).toBe('descending');
});

it('keeps the chosen columns in the address', async () => {
  const page = open();
  await titles();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Seen' }));
  await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Seen' })).toBeNull());
  expect(page.router.state.location.search).toMatchObject({ columns: ['year', 'cast.name'] });
});

it('says what is wrong with a filter where it stands, offers what is meant, and keeps the documents', async () => {
  const page = open();
  await titles();
  await userEvent.type(screen.getByRole('textbox', { name: 'Filter' }), 'yeer:1961');
  expect(await screen.findByText(/At character 1: no document has the field/)).toBeDefined();
  expect((await titles()).length).toBe(25);
  await userEvent.click(await screen.findByRole('button', { name: /Use year:1961/ }));
  await waitFor(() => expect(page.router.state.location.search).toMatchObject({ filter: 'year:1961' }));
});

it('follows Back to the filter of before, also within the pause of typing', async () => {
  const page = open();
  await titles();
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter' });
  await page.router.navigate({ to: '.', search: { filter: 'year:>3000' } } as never);
  expect(await screen.findByRole('heading', { name: 'No documents found' })).toBeDefined();
  await waitFor(() => expect(box.value).toBe('year:>3000'));
  // With nothing awaited between them, or a slow machine would let the pause pass.
  fireEvent.change(box, { target: { value: 'year:>30000' } });
  page.router.history.back();
  await waitFor(() => expect(box.value).toBe(''));
  expect((await titles()).length).toBe(25);
  await userEvent.type(box, 'year:>2000');
  await waitFor(() => expect(page.router.state.location.search).toMatchObject({ filter: 'year:>2000' }));
  const asked = page.calls
    .filter(({ path }) => path === 'documents.list')
    .map(({ input }) => input as ListInput);
  expect(asked.map(({ filter_by }) => filter_by)).not.toContain('year:>30000');
});

it('says that nothing passes, and clears the filter', async () => {
  open('/collections/1?filter=year%3A%3E3000');
  expect(await screen.findByRole('heading', { name: 'No documents found' })).toBeDefined();
  await userEvent.click(
    within(screen.getByRole('tabpanel')).getByText('Clear filter', { selector: 'button *' }),
  );
  expect((await titles()).length).toBe(25);
});

it('offers a file and samples where there are no documents', async () => {
  open('/collections/1', {
    'collections.get': () => collectionRow(1, 'films'),
    'collections.fields': () => [],
    'documents.list': () => ({ found: 0, page: 1, per_page: 25, documents: [] }),
  });
  expect(await screen.findByRole('heading', { name: 'No documents yet' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Import a file' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Sample data' })).toBeDefined();
});

it('says that a list cannot be fetched, and fetches it again', async () => {
  let isBroken = true;
  open('/collections/1', {
    'documents.list': (input: unknown) =>
      isBroken ? refuse({ code: 'UNAVAILABLE', message: 'No memory is left' }) : list(input as ListInput),
  });
  expect(await screen.findByText('No memory is left')).toBeDefined();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await titles()).length).toBe(25);
});

it('opens a document in a panel by its address, with its fields and its JSON', async () => {
  const page = open('/collections/1?view=json');
  await userEvent.click(await screen.findByRole('button', { name: 'Film number 2' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Document' }));
  expect(await panel.findByRole('heading', { name: 'Film number 2' })).toBeDefined();
  expect(panel.getByText('1961')).toBeDefined();
  await userEvent.click(panel.getByRole('tab', { name: 'JSON' }));
  expect(await panel.findByText(/"seen": false/)).toBeDefined();
  expect(page.router.state.location.search).toMatchObject({ open: 'film 2', view: 'json' });
  await userEvent.click(panel.getByRole('button', { name: 'Close document' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('says that a document in the address is gone', async () => {
  open('/collections/1?open=nothing');
  expect(await screen.findByRole('heading', { name: 'There is no such document' })).toBeDefined();
});
