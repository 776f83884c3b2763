import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { type Answers, answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import type { CollectionWithProgress } from '#shared/collections.ts';
import type { RelevanceComparison } from '#shared/comparisons.ts';
import type { SearchMode } from '#shared/search.ts';
import { engineOf } from '#shared/search-engines.ts';
import { ModelCard } from './model-card.tsx';

const side = (ndcg: number, hits: string[]) => ({ ndcg, rank: ndcg > 0 ? 1 : null, hits, error: null });
const comparison: RelevanceComparison = {
  mode: 'hybrid',
  queries: 1,
  before: { ndcg: 0.5, hitRate: 1, mrr: 0.5 },
  after: { ndcg: 1, hitRate: 1, mrr: 1 },
  among: { model: 'openai:small', documents: 1000, of: 20_000, refused: 2, engine: 'embedded' },
  counts: { emptied: 0, rescued: 0, lost: 0, gained: 1, moved: 0, same: 0 },
  results: [
    {
      query: 'radio',
      kind: 'gained',
      change: 0.5,
      before: side(0.5, ['b', 'a']),
      after: side(1, ['a', 'b']),
      judged: [{ document: 'a', grade: 3, before: 2, after: 1 }],
    },
  ],
};
const models = { live: 'transformer', models: ['static', 'transformer', 'openai:small'], comparing: null };

const render = (
  answers: Answers = {},
  mode: SearchMode = 'hybrid',
  read: Partial<CollectionWithProgress> = {},
) => {
  const served = answerTrpc({
    'judgements.models': () => models,
    'judgements.compare': () => comparison,
    'engine.get': () => engineOf('embedded'),
    ...answers,
  });
  renderPart(<ModelCard collection={{ ...collectionRow(7, 'goods', 5), ...read }} mode={mode} />);
  return served;
};
const compare = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Compare this model' }));
const choose = async (model: string) =>
  userEvent.selectOptions(await screen.findByLabelText('Model to compare with'), model);

it('compares the judged queries by another model, and says among which documents', async () => {
  const { calls } = render();
  const select = await screen.findByLabelText('Model to compare with');
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['The static table', 'small']);
  await choose('openai:small');
  expect(screen.getByText('Texts of the documents that are compared are sent to the service.')).toBeDefined();
  await compare();
  expect(await screen.findByText('Of 1 query: 1 gained.')).toBeDefined();
  expect(screen.getByText(/Hybrid search, before and after among 1,000 of 20,000 documents/)).toBeDefined();
  expect(screen.getByText(/The model gives 2 of them no vector/)).toBeDefined();
  expect(screen.getByRole('row', { name: /radio/ }).textContent).toBe(
    'radioGained 0.500 → 1.000 better by 0.500',
  );
  const asked = calls.filter(({ path }) => path === 'judgements.compare').map(({ input }) => input);
  expect(asked).toEqual([{ collection: 7, model: 'openai:small', mode: 'hybrid' }]);
  await choose('static');
  expect(screen.queryByText('Of 1 query: 1 gained.')).toBeNull();
});

it.each([
  [5, 0, /made by the transformer\. What/],
  [2, 3, /made by the transformer for 2 documents so far, and by the static table for the others\. What/],
])('says of how many documents the transformer has made vectors: %d, and %d to come', async (...counts) => {
  const [upgradedCount, toUpgradeCount, told] = counts;
  render({}, 'hybrid', { upgradedCount, toUpgradeCount });
  expect(await screen.findByText(told)).toBeDefined();
});

it('tells how far it is, and can be cancelled', async () => {
  let isCancelled = false;
  let comparing: object | null = null;
  render({
    'judgements.models': () => ({ ...models, comparing }),
    'judgements.compare': (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isCancelled = true;
          reject(signal.reason);
        });
      }),
  });
  await compare();
  expect(await screen.findByText('Choosing documents …')).toBeDefined();
  comparing = { documents: 900, documentsDone: 64, queries: 1, queriesDone: 0 };
  expect(await screen.findByText('Embedding documents: 64 of 900 …', {}, { timeout: 5_000 })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(isCancelled).toBe(true));
  expect(screen.queryByText('It could not be compared')).toBeNull();
});

it('says why it could not compare; words alone need no model', async () => {
  const { calls } = render(
    { 'judgements.compare': () => refuse({ code: 'TOO_MANY_REQUESTS', message: 'Being compared already' }) },
    'keyword',
  );
  await compare();
  expect(await screen.findByText('It could not be compared')).toBeDefined();
  expect(calls.find(({ path }) => path === 'judgements.compare')?.input).toMatchObject({ mode: 'hybrid' });
});

it('says where a search cluster does not rank the comparison, which can be made all the same', async () => {
  render({ 'engine.get': () => engineOf('opensearch') });
  expect(
    await screen.findByText(
      /OpenSearch answers searches here\. The comparison uses the search engine inside this server/,
    ),
  ).toBeDefined();
  await compare();
  expect(await screen.findByText('Of 1 query: 1 gained.')).toBeDefined();
});

it('says nothing of it where the engine in the server answers searches', async () => {
  const { calls } = render();
  await compare();
  expect(await screen.findByText('Of 1 query: 1 gained.')).toBeDefined();
  expect(calls.map(({ path }) => path)).toContain('engine.get');
  expect(screen.queryByText(/OpenSearch/)).toBeNull();
});

it('is not shown where there is no other model', async () => {
  const { calls } = render({ 'judgements.models': () => ({ ...models, models: ['transformer'] }) });
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('judgements.models'));
  expect(screen.queryByText('Another model')).toBeNull();
});
