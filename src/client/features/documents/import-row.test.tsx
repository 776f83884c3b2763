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
