import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { checkRowsMax } from './use-check.ts';

/** The network's other end, to which all rows are good. */
class GoodUpload {
  readonly upload = {};
  readonly status = 200;
  response: Blob | null = null;
  onload: (() => void) | null = null;
  open(): void {}
  abort(): void {}
  setRequestHeader(): void {}
  send(): void {
    this.response = new Blob([JSON.stringify({ succeeded: 2, failed: 0, faults: [], results: [] })]);
    queueMicrotask(() => this.onload?.());
  }
}

it('a sample is loaded from where a file would be chosen, also where collections are there already', async () => {
  const { calls } = serveConsole(ada, {
    'collections.list': () => [collectionRow(1, 'films', 4_000)],
    'samples.load': () => ({ collection: collectionRow(2, 'artworks', 8_000), import: null }),
  });
  renderConsole('/collections');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Upload Documents' }));
  await user.click(await screen.findByRole('button', { name: 'Load the sample Artworks' }));
  expect(await screen.findByText('8,000 documents are in.')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBe(null);
  expect(calls.find(({ path }) => path === 'samples.load')?.input).toMatchObject({ sample: 'artworks' });
});

it('what was checked is not said of other rows or another collection', async () => {
  const { calls } = serveConsole(ada, {
    'collections.create': () => collectionRow(3, 'export'),
    'collections.delete': () => ({}),
  });
  vi.stubGlobal('XMLHttpRequest', GoodUpload);
  renderConsole('/collections');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Upload Documents' }));
  const file = new File(['{"films":[{"id":"a"},{"id":"b"}],"books":[{"id":"c"}]}'], 'export.json');
  await user.upload(await screen.findByLabelText('File with documents'), file);
  const good = () => screen.queryByText('All 2 rows are good.');
  const check = async () => {
    await user.click(await screen.findByRole('button', { name: 'Check all rows' }));
    await waitFor(() => expect(good()).not.toBe(null));
  };
  const choose = async (label: string, option: string | RegExp) => {
    await user.click(screen.getByRole('combobox', { name: label }));
    await user.click(await screen.findByRole('option', { name: option }));
    await waitFor(() => expect(good()).toBe(null));
  };
  await check();
  await choose('What is imported', /under “books”/);
  await check();
  await choose('Collection', 'products');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('collections.delete'));
});

it('a collection that was made to check rows is kept out of the way, and goes unless they are imported', async () => {
  let made = 0;
  const { calls } = serveConsole(ada, {
    'collections.create': () => {
      made += 1;
      return collectionRow(made + 100, 'export');
    },
    'collections.delete': () => ({}),
  });
  vi.stubGlobal('XMLHttpRequest', GoodUpload);
  renderConsole('/collections');
  const user = userEvent.setup();
  const check = async () => {
    await user.click(await screen.findByRole('button', { name: 'Upload Documents' }));
    const file = new File(['id,price\n1,2\n2,3\n'], 'export.csv');
    await user.upload(await screen.findByLabelText('File with documents'), file);
    await user.click(await screen.findByRole('button', { name: 'Check all rows' }));
    await screen.findByText('All 2 rows are good.');
  };
  const ids = (path: string) => calls.filter((call) => call.path === path).map(({ input }) => input);
  await check();
  // It is a new one still: its name and its types can be chosen.
  expect(screen.getByRole('textbox', { name: 'Name of the collection' })).toBeDefined();
  await user.click(screen.getByRole('combobox', { name: 'Type of the column price' }));
  await user.click(await screen.findByRole('option', { name: 'number' }));
  await user.click(screen.getByRole('button', { name: 'Check all rows' }));
  await screen.findByText('All 2 rows are good.');
  expect(ids('collections.delete')).toEqual([{ collection: 101 }]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(ids('collections.delete')).toEqual([{ collection: 101 }, { collection: 102 }]));

  await check();
  await user.click(screen.getByRole('button', { name: 'Import 2 documents' }));
  expect(await screen.findByText('2 documents are in.')).toBeDefined();
  expect(ids('collections.create')).toHaveLength(3);
  expect(ids('collections.delete')).toHaveLength(2);
});

it('says of rows that are no documents that they will be refused', async () => {
  serveConsole(ada, {});
  renderConsole('/collections');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Upload Documents' }));
  const file = new File(['{"id":"a"}\n{"id":\n{"id":"b"}\n'], 'lines.ndjson');
  await user.upload(await screen.findByLabelText('File with documents'), file);
  expect(await screen.findByText('Row 2 is not a document: it will be refused.')).toBeDefined();
  expect(screen.getByText(/3 rows, of which 1 cannot be read/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Import 2 documents' })).toBeDefined();
});

it('says at once that a file has more rows than a check has room for', async () => {
  serveConsole(ada, { 'collections.create': () => collectionRow(3, 'export') });
  const aborted = vi.fn();
  class EndlessUpload extends GoodUpload {
    override send(): void {}
    override abort(): void {
      aborted();
    }
  }
  vi.stubGlobal('XMLHttpRequest', EndlessUpload);
  renderConsole('/collections');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Upload Documents' }));
  const file = new File(['{"a":1}\n'.repeat(checkRowsMax + 1)], 'export.ndjson');
  await user.upload(await screen.findByLabelText('File with documents'), file);
  await user.click(await screen.findByRole('button', { name: 'Check all rows' }));
  expect(await screen.findByText(/A check has room for some 610,000 rows/)).toBeDefined();
  expect(aborted).toHaveBeenCalledOnce();
});
