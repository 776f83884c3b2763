import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import type { MergedSearchAnswer, SearchAnswer } from '#shared/search.ts';
import { SearchScreen } from './search-screen.tsx';
import { type ChangeSearch, type SearchState, searchState } from './search-state.ts';

const answer: SearchAnswer = {
  found: 1,
  out_of: 5,
  page: 1,
  per_page: 10,
  search_time_ms: 2,
  timings: [],
  hits: [{ id: '1', document: { id: '1', title: 'Metropolis' }, score: 1, highlights: [] }],
  facet_counts: [],
  request: { mode: 'keyword', query: 'robot' },
};

const renderScreen = (
  state: Partial<SearchState>,
  collections = [collectionRow(1, 'films')],
  onChange: ChangeSearch = () => undefined,
) =>
  renderPart(
    <SearchScreen
      state={searchState({ q: 'robot', mode: 'keyword', ...state } as Parameters<typeof searchState>[0])}
      onChange={onChange}
      collections={collections}
    />,
  );

it('says that the fields of a collection could not be loaded, beside its hits', async () => {
  let isAway = true;
  answerTrpc({
    'collections.fields': () => (isAway ? refuse({ code: 'UNAVAILABLE', message: 'Away' }) : []),
    'search.keyword': () => answer,
  });
  renderScreen({ collection: 1 });
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
  const said = 'The fields to narrow and sort by could not be loaded';
  expect(await screen.findByText(said)).toBeDefined();
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(said)).toBe(null));
});

it('says which collections could not be searched, one line for each reason', async () => {
  const collections = Array.from({ length: 9 }, (_, i) => collectionRow(i + 1, `c${i + 1}`));
  const hits = answer.hits.map((hit) => ({ ...hit, collection: { id: 1, name: 'c1' } }));
  const merged: MergedSearchAnswer = {
    ...answer,
    hits,
    collection_counts: [{ collection: { id: 1, name: 'c1' }, found: 1, out_of: 5 }],
    failures: collections.slice(1).map(({ id, name }) => ({
      search: 0,
      reference: String(id),
      collection: { id, name },
      error: { code: 'UNAVAILABLE', message: id === 9 ? 'Gone' : 'Rebuilding' },
    })),
  };
  const { calls } = answerTrpc({ 'search.multi': () => merged });
  renderScreen({}, collections);
  const lines = await screen.findAllByText(/Rebuilding|Gone/);
  expect(lines.map((line) => line.textContent)).toEqual([
    'c2, c3, c4, c5, c6 and 2 more: Rebuilding',
    'c9: Gone',
  ]);
  expect(calls.map(({ input }) => input)).toEqual([
    {
      searches: [{ collections: [1, 2, 3, 4, 5, 6, 7, 8, 9], mode: 'keyword', query: 'robot' }],
      merge: { page: 1, per_page: 10 },
    },
  ]);
});

it('names a collection that is gone, as the list still knows it', async () => {
  const collections = [collectionRow(1, 'films'), collectionRow(22, 'recipes')];
  const merged: MergedSearchAnswer = {
    ...answer,
    hits: answer.hits.map((hit) => ({ ...hit, collection: { id: 1, name: 'films' } })),
    collection_counts: [{ collection: { id: 1, name: 'films' }, found: 1, out_of: 5 }],
    failures: [{ search: 0, reference: '22', error: { code: 'NOT_FOUND', message: 'Collection not found' } }],
  };
  answerTrpc({ 'search.multi': () => merged });
  renderScreen({}, collections);
  expect(await screen.findByText('recipes: Collection not found')).toBeDefined();
});

it('shows what some collections answer to a filter that others lack the field for', async () => {
  const collections = [collectionRow(1, 'films'), collectionRow(2, 'recipes')];
  const reason = 'expected a field of this collection: "year" is unknown';
  const error = {
    code: 'BAD_REQUEST' as const,
    message: `filter_by: ${reason}`,
    details: [{ path: 'filter_by', message: reason, position: 0 }],
  };
  const hits = answer.hits.map((hit) => ({ ...hit, collection: { id: 1, name: 'films' } }));
  const merged: MergedSearchAnswer = {
    ...answer,
    hits,
    collection_counts: [{ collection: { id: 1, name: 'films' }, found: 1, out_of: 5 }],
    failures: [{ search: 0, reference: '2', collection: { id: 2, name: 'recipes' }, error }],
  };
  let isUnknownToAll = false;
  const refused = {
    ...error,
    details: [{ path: 'searches.0.filter_by', message: reason, position: 0 }],
  };
  answerTrpc({ 'search.multi': () => (isUnknownToAll ? refuse(refused) : merged) });
  const screenOf = renderScreen({ filter: 'year:>2015' }, collections);
  expect(await screen.findByText(`recipes: in the filter at character 1, ${reason}`)).toBeDefined();
  const box = screen.getByRole('textbox', { name: 'Filter' });
  expect(box.getAttribute('aria-invalid')).not.toBe('true');

  isUnknownToAll = true;
  screenOf.unmount();
  renderScreen({ filter: 'year:>2015' }, collections);
  const faulty = await screen.findByRole('textbox', { name: 'Filter' });
  await waitFor(() => expect(faulty.getAttribute('aria-invalid')).toBe('true'));
});

it('marks the filter where only collections without documents take it', async () => {
  const collections = [collectionRow(1, 'films'), collectionRow(2, 'drafts')];
  const reason = 'expected a field of this collection: "yeer" is unknown';
  const error = {
    code: 'BAD_REQUEST' as const,
    message: `filter_by: ${reason} at position 0`,
    details: [{ path: 'filter_by', message: reason, position: 0 }],
  };
  const merged: MergedSearchAnswer = {
    ...answer,
    found: 0,
    out_of: 0,
    hits: [],
    collection_counts: [{ collection: { id: 2, name: 'drafts' }, found: 0, out_of: 0 }],
    failures: [{ search: 0, reference: '1', collection: { id: 1, name: 'films' }, error }],
  };
  answerTrpc({ 'search.multi': () => merged });
  renderScreen({ filter: 'yeer:>2015' }, collections);
  const box = await screen.findByRole('textbox', { name: 'Filter' });
  await waitFor(() => expect(box.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(`At character 1: ${reason}`)).toBeDefined();
  expect(screen.queryByText('No results')).toBe(null);
});

it('says that a page lies behind the last hit, and leads back', async () => {
  answerTrpc({
    'collections.fields': () => [],
    'search.keyword': () => ({ ...answer, found: 33, out_of: 50, page: 90, hits: [] }),
  });
  const changes: Partial<SearchState>[] = [];
  renderScreen({ collection: 1, page: 90 }, undefined, (change) => changes.push(change));
  expect(await screen.findByText('The hits end on page 4.')).toBeDefined();
  expect(screen.queryByText(/Nothing matches/)).toBe(null);
  await userEvent.click(screen.getByRole('button', { name: 'First page' }));
  expect(changes).toEqual([{ page: 1 }]);
});

it('says when there are more collections than one list takes', async () => {
  const collections = Array.from({ length: 501 }, (_, i) => collectionRow(i + 1, `c${i + 1}`, 1));
  answerTrpc({});
  renderScreen({ q: '' }, collections);
  expect(await screen.findByText(/^The first 500 of 501 collections are searched\./)).toBeDefined();
});

it('counts the values of fields that have some, which dates and places have not', async () => {
  const types = { genre: 'string', year: 'number', released: 'date', at: 'geopoint' };
  const { calls } = answerTrpc({
    'collections.fields': () => Object.entries(types).map(([path, type]) => ({ path, types: [type] })),
    'search.keyword': () => answer,
  });
  renderScreen({ collection: 1 });
  await waitFor(() =>
    expect(calls.map(({ input }) => input)).toContainEqual(
      expect.objectContaining({ facet_by: ['genre', 'year'], per_page: 0 }),
    ),
  );
});

it.each([
  ['in its place', () => ({ results: [{ error: { code: 'UNAVAILABLE', message: 'Rebuilding' } }] })],
  ['as a whole', () => refuse({ code: 'UNAVAILABLE', message: 'Rebuilding' })],
])('says of which field only the ticked values are counted: the other count failed %s', async (_, multi) => {
  const counts = ['silent', 'sound'].map((value, i) => ({ value, count: 2 + i }));
  const facets = [{ field_name: 'genre', counts }];
  answerTrpc({
    'collections.fields': () => [{ path: 'genre', types: ['string'] }],
    'search.keyword': () => ({ ...answer, out_of: 50, found: 50, facet_counts: facets }),
    'search.multi': multi,
  });
  renderScreen({ collection: 1, facets: { genre: ['silent'] } });
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
  const said = await screen.findByText('Only ticked values are counted: Rebuilding');
  expect(said.closest('fieldset')?.querySelector('legend')?.textContent).toBe('genre');
});
