import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { SearchScreen } from '../search-screen.tsx';
import { type SearchState, searchState } from '../search-state.ts';

const answer: SearchAnswer = {
  found: 1,
  out_of: 5,
  page: 1,
  per_page: 10,
  search_time_ms: 2,
  timings: [],
  hits: [{ id: '1', document: { id: '1', title: 'Metropolis' }, score: 1, relevance: 0.71, highlights: [] }],
  facet_counts: [],
  request: { mode: 'hybrid', query: 'robot', alpha: 0.8 },
};

function renderSearch(given: Partial<SearchState> = {}) {
  const changes: Partial<SearchState>[] = [];
  const all = { q: 'robot', mode: 'hybrid', collection: 1, ...given };
  renderPart(
    <SearchScreen
      state={searchState(all as Parameters<typeof searchState>[0])}
      onChange={(change) => changes.push(change)}
      collections={[collectionRow(1, 'films')]}
    />,
  );
  return changes;
}

it('leaves the weight to the settings of the collection, and shows what it is there', async () => {
  const { calls } = answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => answer });
  renderSearch();
  const slider = await screen.findByRole('slider', { name: 'Weight of meaning against words' });
  await waitFor(() => expect(slider.getAttribute('aria-valuenow')).toBe('0.8'));
  expect(calls.find(({ path }) => path === 'search.hybrid')?.input).not.toHaveProperty('alpha');
});

it('sends the weight that a link says, though it is the default', async () => {
  const { calls } = answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => answer });
  renderSearch({ alpha: 0.5 });
  await screen.findByRole('heading', { name: 'Metropolis' });
  expect(calls.find(({ path }) => path === 'search.hybrid')?.input).toMatchObject({ alpha: 0.5 });
});

it('narrows hits that tell their relevance by it, which a weight of the reader’s own gives up', async () => {
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => answer });
  const changes = renderSearch({ tuned: { min_relevance: 0.433 } });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Least relevance' }));
  expect(await screen.findByRole('option', { name: '0.433 and more' })).toBeDefined();
  await userEvent.click(screen.getByRole('option', { name: '0.5 and more' }));
  expect(changes).toEqual([{ tuned: { min_relevance: 0.5 }, page: 1 }]);
  // It has a control of its own.
  expect(screen.queryByRole('group', { name: 'Changed parameters' })).toBe(null);
  const slider = await screen.findByRole('slider', { name: 'Weight of meaning against words' });
  slider.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(changes).toContainEqual({ tuned: {} });
});

it('offers no least relevance where hits tell none', async () => {
  const hits = answer.hits.map(({ relevance: _, ...hit }) => hit);
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => ({ ...answer, hits }) });
  renderSearch();
  await screen.findByRole('heading', { name: 'Metropolis' });
  expect(screen.queryByRole('combobox', { name: 'Least relevance' })).toBe(null);
});

it('says that nothing is relevant enough, and shows whatever there is', async () => {
  const request = { ...answer.request, min_relevance: 0.75 };
  answerTrpc({
    'collections.fields': () => [],
    'search.hybrid': () => ({ ...answer, request, hits: [], found: 0 }),
  });
  const changes = renderSearch({ tuned: { min_relevance: 0.75 } });
  expect(await screen.findByText('Nothing has a relevance of 0.75 or more for “robot”.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Any relevance' }));
  expect(changes).toEqual([{ tuned: { min_relevance: 0 }, page: 1 }]);
});

it('shows the least relevance of the settings, which a search may take back', async () => {
  const request = { ...answer.request, min_relevance: 0.35 };
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => ({ ...answer, request }) });
  const changes = renderSearch({ tuned: { num_typos: 1 } });
  const least = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Least relevance' });
  await waitFor(() => expect(least.value).toBe('0.35 and more'));
  await userEvent.click(least);
  await userEvent.click(await screen.findByRole('option', { name: 'Any' }));
  expect(changes).toEqual([{ tuned: { num_typos: 1, min_relevance: 0 }, page: 1 }]);
});

it('a link that asks for a relevance which nothing tells leads to the hits', async () => {
  const details = [{ path: 'min_relevance', message: 'needs a calibration' }];
  answerTrpc({
    'collections.fields': () => [],
    'search.hybrid': () =>
      refuse({ code: 'BAD_REQUEST', message: 'min_relevance needs a calibration', details }),
  });
  const changes = renderSearch({ tuned: { min_relevance: 0.5 }, alpha: 0.3 });
  await userEvent.click(await screen.findByRole('button', { name: 'Show all hits' }));
  expect(changes).toEqual([{ alpha: undefined, tuned: {}, page: 1 }]);
});

it('another way to search leaves the least relevance behind', async () => {
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => answer });
  const changes = renderSearch({ tuned: { min_relevance: 0.5, num_typos: 1 } });
  await userEvent.click(await screen.findByRole('radio', { name: 'Keyword' }));
  expect(changes).toEqual([{ view: 'list', mode: 'keyword', page: 1, tuned: { num_typos: 1 } }]);
});
