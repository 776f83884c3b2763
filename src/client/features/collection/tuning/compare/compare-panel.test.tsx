import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type Answers, refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { ComparedQuery, RelevanceComparison } from '#shared/comparisons.ts';
import { searchSettings } from '#shared/search-settings.ts';

const unset = {
  ...Object.fromEntries(Object.keys(searchSettings.shape).map((name) => [name, null])),
  acting_language: 'en',
  detected_language: null,
  detected_documents: 0,
};

const side = (ndcg: number, hits: string[]) => ({ ndcg, rank: ndcg > 0 ? 1 : null, hits, error: null });
const lost: ComparedQuery = {
  query: 'radio',
  kind: 'emptied',
  change: -1,
  before: side(1, ['a', 'b']),
  after: side(0, []),
  judged: [
    { document: 'a', grade: 3, before: 1, after: null },
    { document: 'z', grade: 1, before: null, after: null },
  ],
};
const same: ComparedQuery = {
  query: 'tv',
  kind: 'same',
  change: 0,
  before: side(1, ['b']),
  after: side(1, ['b']),
  judged: [{ document: 'b', grade: 1, before: 1, after: 1 }],
};
const comparison: RelevanceComparison = {
  mode: 'hybrid',
  queries: 2,
  before: { ndcg: 1, hitRate: 1, mrr: 1 },
  after: { ndcg: 0.5, hitRate: 0.5, mrr: 1 },
  among: null,
  counts: { emptied: 1, rescued: 0, lost: 0, gained: 0, moved: 0, same: 1 },
  results: [lost, same],
};

function open(more: Answers = {}) {
  const queries = ['radio', 'tv'].map((query) => ({ query, documents: 1, relevant: 1 }));
  const served = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 4),
    'collections.fields': () => [],
    'searchSettings.get': () => unset,
    'searchSettings.update': () => unset,
    'overrides.list': () => ({ overrides: [] }),
    'analytics.get': () => ({ queries: [] }),
    'judgements.measures': () => ({ measures: [], results: [], changes: [] }),
    'judgements.queries': () => ({ queries }),
    'judgements.compare': () => comparison,
    'judgements.measure': () => ({ ndcg: 0.5 }),
    'search.keyword': () => ({
      hits: ['a', 'b', 'z'].map((id) => ({ id, document: { title: `Film ${id}` }, highlights: [] })),
      found: 3,
      request: {},
    }),
    ...more,
  });
  const sent = (path: string) => served.calls.filter((call) => call.path === path).map(({ input }) => input);
  return { ...renderConsole('/collections/1?tab=tuning&on=judged'), sent };
}

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const forgive = async (typos: string) => {
  const row = await screen.findByRole('radiogroup', { name: 'Typos that are forgiven in a word' });
  await userEvent.click(within(row).getByText(typos));
};
const measure = async () => userEvent.click(await button('Measure on judged queries'));

it('tells what a change does to each judged query, in words, and saves it when it is told to', async () => {
  const { sent } = open();
  expect(await screen.findByText(/Nothing is changed yet/)).toBeDefined();
  expect(await button('Measure on judged queries')).toHaveProperty('disabled', true);
  await forgive('None');
  await measure();
  expect(await screen.findByText('Of 2 queries: 1 became empty, 1 the same.')).toBeDefined();
  expect(sent('judgements.compare')).toEqual([
    { collection: 1, mode: 'hybrid', draft: { settings: { num_typos: 0 } } },
  ]);
  expect(screen.getByRole('region', { name: 'Hit rate@10' }).textContent).toBe(
    'Hit rate@10100.0 % → 50.0 %worse by 50.0 %',
  );
  const rows = () => screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows().slice(1)).toEqual([
    'radioBecame empty 1.000 → 0.000 worse by 1.000',
    'tvSame 1.000 → 1.000 unchanged',
  ]);
  await userEvent.click(await button('Same 1'));
  expect(rows().slice(1)).toEqual(['tvSame 1.000 → 1.000 unchanged']);
  expect(sent('searchSettings.update')).toEqual([]);

  await userEvent.click(await button('Publish this change'));
  expect(await screen.findByText('nDCG@10 is 0.500 now.')).toBeDefined();
  expect(sent('searchSettings.update')).toEqual([{ collection: 1, num_typos: 0 }]);
  expect(sent('judgements.measure')).toEqual([{ collection: 1, mode: 'hybrid' }]);
  expect(screen.queryByRole('button', { name: 'Publish this change' })).toBeNull();
});

it('opens a query to both lists, with the grades of what is judged', async () => {
  open();
  await forgive('None');
  await measure();
  await userEvent.click(await button('radio'));
  const drawer = await screen.findByRole('dialog', { name: '“radio”' });
  const before = await within(drawer).findByRole('list', { name: 'Before: hits' });
  await waitFor(() => expect(before.textContent).toBe('1Film aThe best answergone2Film bgone'));
  const after = within(drawer).getByRole('region', { name: 'After' });
  expect(after.textContent).toContain('Nothing is found.');
  expect(drawer.textContent).toContain('Film z: Relevant');
});

it('says that figures are of another change, and publishes none that was not measured', async () => {
  open();
  await forgive('None');
  await measure();
  await button('Publish this change');
  await forgive('One');
  expect(await screen.findByText(/That was another change: measure again/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Publish this change' })).toBeNull();
  await forgive('None');
  expect(await button('Publish this change')).toBeDefined();
});

it('can be cancelled, and says why it could not compare', async () => {
  let isCancelled = false;
  const answers = [
    (signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isCancelled = true;
          reject(signal.reason);
        });
      }),
    () => refuse({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests' }),
  ];
  open({ 'judgements.compare': (_, signal) => answers.shift()?.(signal) });
  await forgive('None');
  await measure();
  expect(await screen.findByText(/Searching for 2 queries, as it is and as it would be/)).toBeDefined();
  await userEvent.click(await button('Cancel'));
  await waitFor(() => expect(isCancelled).toBe(true));
  expect(screen.queryByText('It could not be compared')).toBeNull();
  await measure();
  expect(await screen.findByText('It could not be compared')).toBeDefined();
});

it('asks for many queries in parts, tells how many are done, and shows them as one', async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ query: `query ${i}`, documents: 1, relevant: 1 }));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let parts = 0;
  const { sent } = open({
    'judgements.queries': () => ({ queries: many }),
    'judgements.compare': async () => {
      parts += 1;
      const part = parts;
      if (part === 3) await held;
      const results = comparison.results.map((each) => ({ ...each, query: `${each.query} ${part}` }));
      return { ...comparison, results };
    },
  });
  await forgive('None');
  await measure();
  expect(await screen.findByText(/Searching for 60 queries.*50 done/)).toBeDefined();
  release();
  expect(await screen.findByText('Of 6 queries: 3 became empty, 3 the same.')).toBeDefined();
  const asked = sent('judgements.compare').flatMap((input) => (input as { queries: string[] }).queries);
  expect(asked.toSorted()).toEqual(many.map(({ query }) => query).toSorted());
  expect(await button('Publish this change')).toBeDefined();
});

it('a viewer is not offered what the server would refuse', async () => {
  open({ 'workspaces.list': () => [{ ...workspaceRow(1, 'Acme'), role: 'viewer' }] });
  expect(await screen.findByText(/Comparing on the judged queries takes an editor/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Measure on judged queries' })).toBeNull();
});
