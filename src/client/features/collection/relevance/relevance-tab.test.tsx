import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderConsole, renderPart } from '#client/testing/render.tsx';
import { ada, collectionRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { RelevanceMeasure, RelevanceMeasures } from '#shared/judgements.ts';
import { collectionState } from '../collection-state.ts';
import { RelevanceTab } from './relevance-tab.tsx';

const measure: RelevanceMeasure = {
  id: 2,
  measuredAt: '2026-03-01T12:00:00Z',
  mode: 'keyword',
  reason: null,
  changes: [{ action: 'synonyms.upsert', times: 1 }],
  queries: 2,
  ndcg: 0.5,
  hitRate: 0.5,
  mrr: 0.25,
};
const figures = { relevant: 1, before: null, error: null };
const told: RelevanceMeasures = {
  measures: [
    measure,
    { ...measure, id: 1, mode: 'hybrid', hitRate: 1 },
    { ...measure, id: 0, hitRate: 0.25, changes: [] },
  ],
  results: [
    { ...figures, query: 'radio', ndcg: 0, rank: null },
    { ...figures, query: 'tv', ndcg: 1, rank: 1, before: 0.25 },
  ],
  changes: [],
};
const queries = ['radio', 'tv'].map((query) => ({ query, documents: 2, relevant: 1 }));

const renderTab = () =>
  renderPart(
    <RelevanceTab
      collection={collectionRow(7, 'goods')}
      state={collectionState({} as Parameters<typeof collectionState>[0])}
      onChange={() => undefined}
    />,
  );

it('shows the worst query first, and the difference to the measure before of the same mode', async () => {
  answerTrpc({ 'judgements.measures': () => told, 'judgements.queries': () => ({ queries }) });
  renderTab();
  const hitRate = await screen.findByRole('region', { name: 'Hit rate@10' });
  expect(hitRate.textContent).toContain('50.0 %+25.0 %');
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows[1]).toBe('radio1 relevant, 1 notnot among ten0.000');
  expect(rows[2]).toBe('tv1 relevant, 1 not#11.000+0.750');
  expect(rows).toContainEqual(expect.stringContaining('1 change to synonyms'));
});

it('shows the newest measure of the search that is chosen, and none of another', async () => {
  const { calls } = answerTrpc({
    'judgements.measures': (input) =>
      (input as { mode?: string }).mode === undefined
        ? told
        : { ...told, results: [{ ...figures, query: 'tv', ndcg: 0.125, rank: 8 }] },
    'judgements.queries': () => ({ queries }),
  });
  renderTab();
  const card = await screen.findByRole('region', { name: 'Hit rate@10' });
  expect(screen.getByText(/^Keyword search was measured/)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Hybrid' }));
  expect(await screen.findByText('#8')).toBeDefined();
  expect(card.textContent).toContain('100.0 %');
  expect(screen.getByText(/^Hybrid search was measured/)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Semantic' }));
  expect(await screen.findByText('Semantic search is not measured yet.')).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Hit rate@10' })).toBe(null);
  expect(calls.filter(({ path }) => path === 'judgements.measures').map(({ input }) => input)).toEqual([
    { collection: 7 },
    { collection: 7, mode: 'hybrid' },
    { collection: 7, mode: 'vector' },
  ]);
});

it('measures by itself after a change, once though it fails, and says why', async () => {
  const changed = { ...told, changes: [{ action: 'synonyms.delete', times: 1 }] };
  const { calls } = answerTrpc({
    'judgements.measures': () => changed,
    'judgements.queries': () => ({ queries }),
    'judgements.measure': () => refuse({ code: 'FORBIDDEN', message: 'This needs the role "editor"' }),
  });
  renderTab();
  expect(await screen.findByText('This needs the role "editor"')).toBeDefined();
  expect(screen.getByText(/since then 1 change to synonyms/)).toBeDefined();
  const measured = () => calls.filter(({ path }) => path === 'judgements.measure');
  expect(measured().map(({ input }) => input)).toEqual([{ collection: 7, mode: 'keyword' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Measure' }));
  await waitFor(() => expect(measured()).toHaveLength(2));
});

it('shows what was clicked and is not judged, and judges it all, as often clicked as was asked for', async () => {
  const row = { query: 'tv', document: 'flat', clicks: 3, conversions: 1, searches: 7, grade: 2 };
  const { calls } = answerTrpc({
    'judgements.measures': () => told,
    'judgements.queries': () => ({ queries }),
    'judgements.clicked': (input) => ({
      clicked: (input as { clicks_min: number }).clicks_min === 1 ? [row, { ...row, document: 'other' }] : [],
    }),
    'judgements.putClicked': () => ({ judged: 2 }),
  });
  renderTab();
  const card = within(await screen.findByRole('region', { name: 'Judgements from clicks' }));
  await card.findByText(/No document was clicked as often/);
  expect(card.queryByRole('button', { name: /Judge/ })).toBe(null);
  await userEvent.click(card.getByText('1'));
  expect((await card.findAllByRole('row'))[1]?.textContent).toBe('tvflat3 of 7 searches1Very relevant');
  await userEvent.click(card.getByRole('button', { name: 'Judge all 2 by their clicks' }));
  await waitFor(() =>
    expect(calls.filter(({ path }) => path === 'judgements.putClicked').map(({ input }) => input)).toEqual([
      { collection: 7, clicks_min: 1 },
    ]),
  );
});

it('measures nothing by itself until it is known what is judged now', async () => {
  let isChanged = false;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { calls } = answerTrpc({
    'judgements.measures': () => ({
      ...told,
      ...(isChanged && {
        measures: [{ ...measure, hitRate: 0.75 }],
        changes: [{ action: 'judgements.delete', times: 1 }],
      }),
    }),
    'judgements.queries': async () => {
      if (!isChanged) return { queries };
      await held;
      return { queries: [] };
    },
    'judgements.measure': () => {
      isChanged = true;
      return measure;
    },
  });
  renderTab();
  await userEvent.click(await screen.findByRole('button', { name: 'Measure' }));
  expect(await screen.findAllByText('75.0 %')).toHaveLength(2);
  release();
  expect(await screen.findByText('No query is judged yet')).toBeDefined();
  expect(calls.filter(({ path }) => path === 'judgements.measure')).toHaveLength(1);
});

it('leaves more queries than a few to whoever asks, and can be cancelled', async () => {
  const many = Array.from({ length: 101 }, (_, i) => ({ query: `query ${i}`, documents: 1, relevant: 1 }));
  let isCancelled = false;
  const { calls } = answerTrpc({
    'judgements.measures': () => ({ ...told, changes: [{ action: 'synonyms.delete', times: 1 }] }),
    'judgements.queries': () => ({ queries: many }),
    'judgements.measure': (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isCancelled = true;
          reject(signal.reason);
        });
      }),
  });
  renderTab();
  await screen.findByText(/since then 1 change to synonyms/);
  expect(calls.map(({ path }) => path)).not.toContain('judgements.measure');
  await userEvent.click(screen.getByRole('button', { name: 'Measure' }));
  expect(await screen.findByText('Searching for 101 queries …')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText(/since then 1 change to synonyms/)).toBeDefined();
  await waitFor(() => expect(isCancelled).toBe(true));
  expect(screen.queryByText('It could not be measured')).toBe(null);
});

it('a viewer reads what is judged: nothing is measured for them that the server would refuse', async () => {
  const { calls } = serveConsole(ada, {
    'workspaces.list': () => [{ ...workspaceRow(1, 'Acme'), role: 'viewer' }],
    'collections.get': () => collectionRow(7, 'goods'),
    'judgements.measures': () => ({ ...told, changes: [{ action: 'synonyms.delete', times: 1 }] }),
    'judgements.queries': () => ({ queries }),
    'judgements.list': () => ({ judgements: [{ query: 'tv', document: 'a', grade: 2 }] }),
    'search.keyword': () => ({ hits: [], found: 0, request: {} }),
    'documents.list': () => ({ documents: [{ id: 'a', title: 'Television' }], found: 1 }),
  });
  renderConsole('/collections/7?tab=relevance&judge=tv');
  expect(await screen.findByText('Very relevant')).toBeDefined();
  expect(screen.getByText(/since then 1 change to synonyms/)).toBeDefined();
  for (const name of ['Measure', 'Judge its hits', 'Add as relevant', /^Remove all/])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('combobox', { name: /^Grade of/ })).toBeNull();
  expect(calls.filter(({ path }) => path === 'judgements.measure')).toEqual([]);
});
