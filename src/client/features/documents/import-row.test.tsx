import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  addImportJob,
  findImportJob,
  type ImportJob,
  removeImportJob,
} from '#client/lib/imports/import-jobs.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { ImportRow } from './import-row.tsx';

const job: ImportJob = {
  key: 'console:1:films.csv',
  userId: ada.id,
  label: 'films.csv',
  collection: { id: 3, name: 'films' },
  rowsTotal: 4_000,
  upload: null,
  rows: 1_000,
  failed: 0,
  startedAt: 0,
  state: 'running',
  message: null,
  query: '',
};

beforeEach(() => void serveConsole(ada));

function renderRow(change: Partial<ImportJob>) {
  const shown = { ...job, ...change };
  addImportJob(shown);
  const onFollow = vi.fn();
  renderPart(<ImportRow shown={{ ...shown, importId: null, rate: null }} onFollow={onFollow} />);
  return onFollow;
}

it('what is in can be searched while the rest comes, and is then seen beside the dock', async () => {
  const onFollow = renderRow({});
  await userEvent.click(await screen.findByRole('link', { name: 'Search what is in' }));
  expect(onFollow).toHaveBeenCalledOnce();
  expect(findImportJob(job.key)).toBeDefined();
  removeImportJob(job.key);
});

it.each<[what: string, change: Partial<ImportJob>]>([
  ['nothing is in', { rows: 0 }],
  ['all that came was refused', { rows: 5, failed: 5 }],
  ['a sample, whose own search wants the whole of it', { query: 'robots' }],
])('offers no search of %s', async (_, change) => {
  renderRow(change);
  await screen.findByRole('progressbar');
  expect(screen.queryByRole('link')).toBe(null);
  removeImportJob(job.key);
});

it('one with failed rows stays in the dock when its search is opened', async () => {
  const onFollow = renderRow({ state: 'done', rows: 4_000, failed: 1 });
  await userEvent.click(await screen.findByRole('link', { name: 'Search them now' }));
  expect(findImportJob(job.key)).toBeDefined();
  expect(onFollow).toHaveBeenCalledOnce();
});

it('one that is wholly in leaves the dock when its search is opened', async () => {
  const onFollow = renderRow({ state: 'done', rows: 4_000 });
  await userEvent.click(await screen.findByRole('link', { name: 'Search them now' }));
  expect(findImportJob(job.key)).toBe(undefined);
  expect(onFollow).not.toHaveBeenCalled();
});

it.each<[said: string, change: Partial<ImportJob>]>([
  ['4,000 documents are in.', { repeats: { documents: 4_000, ids: 0, times: null } }],
  [
    '3,999 documents are in: 1 id came twice, and its last row counts.',
    { repeats: { documents: 3_999, ids: 1, times: 2 } },
  ],
  ['4,000 rows are in.', { repeats: null }],
  [
    '3,990 in, 5 failed: 2 ids came more than once, and of each the last row counts.',
    { failed: 5, repeats: { documents: 3_990, ids: 2, times: null } },
  ],
])('says “%s”', async (said, change) => {
  renderRow({ state: 'done', rows: 4_000, ...change });
  expect(await screen.findByText(said)).toBeDefined();
  removeImportJob(job.key);
});
