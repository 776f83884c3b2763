import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { noteAnswer } from '#client/lib/reachability.ts';
import { currentToast } from '#client/lib/toast.ts';
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

it('a search that no server answers waits for one, which is said above the page already', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  onTestFinished(noteAnswer);
  renderScreen({ collection: 1 });
  expect(await screen.findByText('The search is made by itself once there is an answer.')).toBeDefined();
  expect(screen.queryByText('The search failed')).toBe(null);
});

it('keeps no place for counts that cannot be had', async () => {
  const genres = { field_name: 'genres', counts: [{ value: 'Drama', count: 5 }], total_values: 1 };
  answerTrpc({
    'collections.fields': () => [{ path: 'genres', types: ['string'], documentCount: 5 }],
    'search.keyword': (input) => {
      const { per_page, facet_by } = input as { per_page?: number; facet_by?: unknown };
      if (per_page === 0) return { ...answer, facet_counts: [genres] };
      return facet_by === undefined ? answer : refuse({ code: 'UNAVAILABLE', message: 'Away' });
    },
  });
  const { container } = renderScreen({ collection: 1 });
  expect(await screen.findByText('The search failed')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Metropolis' })).toBeDefined();
  expect(container.querySelector('[data-facets]')).toBe(null);
});

it('says that only words were compared, and why, and who has answered', async () => {
  const reason = 'The embedding service is not available: it answers 500';
  const who = 'The search cluster is away: this was found by an index of the record';
  const request = { ...answer.request, mode: 'hybrid', without_meaning: reason, without_cluster: who };
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => ({ ...answer, request }) });
  renderScreen({ collection: 1, mode: 'hybrid' });
  const notes = await screen.findAllByRole('note');
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    `Only words were compared. ${reason}`,
    `${who}.`,
  ]);
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
});

it('says that nothing fits where the server does', async () => {
  const hits = answer.hits.map((hit) => ({ ...hit, fits: false }));
  const request = { ...answer.request, mode: 'vector' };
  let served: object = { ...answer, hits, request, nothing_fits: true };
  answerTrpc({ 'collections.fields': () => [], 'search.vector': () => served });
  const state = { collection: 1, mode: 'vector' } as const;
  const { unmount } = renderScreen(state);
  expect(await screen.findByText(/^Nothing fits/)).toBeDefined();
  unmount();
  served = { ...answer, hits, request };
  const { unmount: leave } = renderScreen(state);
  expect(await screen.findByText('From here on only loosely related:')).toBeDefined();
  leave();
  served = { ...answer, request };
  renderScreen(state);
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
  expect(screen.queryByText(/^(Nothing fits|From here on)/)).toBe(null);
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
  const searches = calls.filter(({ path }) => path === 'search.multi');
  expect(searches.map(({ input }) => input)).toEqual([
    {
      searches: [
        { collections: [1, 2, 3, 4, 5, 6, 7, 8, 9], mode: 'keyword', query: 'robot', explain: true },
      ],
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

const shapeAnswer = (input: unknown) => {
  const { facet_by = [] } = input as { facet_by?: string[] };
  const genres = [
    { value: 'silent', count: 30 },
    { value: 'sound', count: 20 },
  ];
  const facet_counts = facet_by.map((facet) => {
    if (facet.startsWith('genre')) return { field_name: 'genre', counts: genres };
    if (facet.startsWith('in_stock'))
      return { field_name: 'in_stock', counts: [{ value: 'true', count: 9 }] };
    if (facet.startsWith('title')) return { field_name: 'title', counts: [{ value: 'Untitled', count: 20 }] };
    const stats = { min: 1900, max: 2000, avg: 1950, sum: 1 };
    return {
      field_name: 'year',
      counts: [{ value: facet === 'year(any:[..])' ? 'any' : '0', count: 50 }],
      stats,
    };
  });
  return { ...answer, out_of: 50, found: 50, facet_counts };
};
const shapeFields = () =>
  [
    ['genre', ['string']],
    ['title', ['string']],
    ['in_stock', ['boolean']],
    ['year', ['string', 'number']],
  ].map(([path, types]) => ({ path, types, documentCount: 50 }));

it('narrows by what a field is: values to tick, yes or no, a span of numbers though a few are texts', async () => {
  const { calls } = answerTrpc({
    'collections.fields': shapeFields,
    'search.keyword': shapeAnswer,
  });
  const changes: Partial<SearchState>[] = [];
  renderScreen({ collection: 1, facets: { genre: ['silent'] } }, undefined, (change) => changes.push(change));
  const panel = within(await screen.findByRole('complementary', { name: 'Narrow the results' }));
  const legends = () =>
    panel
      .queryAllByRole('group')
      .flatMap((group) => group.querySelector(':scope > legend')?.textContent ?? []);
  await waitFor(() => expect(legends()).toEqual(['Genre', 'In stock', 'Year']));
  // A ticked field is counted as if it were not, in the same request.
  const asked = calls.filter(({ path }) => path === 'search.keyword').at(-1);
  expect(asked?.input).toMatchObject({ facet_mode: 'disjunctive', filter_by: 'genre:=[silent]' });
  await userEvent.click(panel.getByRole('checkbox', { name: 'sound' }));
  await userEvent.click(panel.getByRole('radio', { name: 'Yes 9' }));
  const lowest = panel.getByRole('textbox', { name: 'Lowest year' });
  await userEvent.clear(lowest);
  await userEvent.type(lowest, '1950{Enter}');
  expect(changes).toEqual([
    { facets: { genre: ['silent', 'sound'] }, page: 1 },
    { facets: { genre: ['silent'], in_stock: ['true'] }, page: 1 },
    { ranges: { year: ['1950', ''] }, page: 1 },
  ]);
});

it('keeps the hits while a filter is half typed, and offers what is meant', async () => {
  const reason = 'expected ":" after the field name';
  answerTrpc({
    'collections.fields': shapeFields,
    'search.keyword': (input) => {
      const { filter_by } = input as { filter_by?: string };
      if (filter_by === undefined || filter_by === 'year:>2000') return shapeAnswer(input);
      const details = [{ path: 'filter_by', message: reason, position: 4 }];
      return refuse({ code: 'BAD_REQUEST', message: `filter_by: ${reason}`, details });
    },
  });
  const changes: Partial<SearchState>[] = [];
  renderScreen({ collection: 1 }, undefined, (change) => changes.push(change));
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
  const box = screen.getByRole('textbox', { name: 'Filter' });
  await userEvent.type(box, 'year > 2000');
  expect(await screen.findByText(`At character 5: ${reason}`)).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Metropolis' })).toBeDefined();
  expect(await screen.findByRole('complementary', { name: 'Narrow the results' })).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Use year:>2000' }));
  await waitFor(() => expect(screen.queryByText(/At character/)).toBe(null));
  await waitFor(() => expect(changes.at(-1)).toMatchObject({ filter: 'year:>2000' }));
});

it('a link whose filter cannot be read waits for nothing to narrow by', async () => {
  const details = [{ path: 'filter_by', message: 'expected a field', position: 0 }];
  answerTrpc({
    'collections.fields': shapeFields,
    'search.keyword': (input) =>
      (input as { filter_by?: string }).filter_by
        ? refuse({ code: 'BAD_REQUEST', message: 'expected a field', details })
        : shapeAnswer(input),
  });
  renderScreen({ collection: 1, filter: 'yeer:1' });
  expect(await screen.findByRole('heading', { name: 'The filter cannot be read' })).toBeDefined();
  await waitFor(() => expect(document.querySelector('.mantine-Skeleton-root')).toBe(null));
});

it('counts what was found by words, never what was asked for by meaning', async () => {
  answerTrpc({
    'collections.fields': () => [],
    'search.keyword': () => ({ ...answer, found: 3, out_of: 4_000 }),
    'search.vector': () => ({ ...answer, found: 100, out_of: 4_000 }),
    'search.hybrid': () => ({ ...answer, found: 100, out_of: 4_000 }),
  });
  const said = { keyword: '3 of 4,000', vector: 'Most similar of 4,000', hybrid: 'Best of 4,000' };
  for (const [mode, words] of Object.entries(said)) {
    const shown = renderScreen({ collection: 1, mode: mode as SearchState['mode'] });
    const status = await screen.findByText(
      (_, element) =>
        element?.role === 'status' && element.textContent?.startsWith(`${words} documents`) === true,
    );
    expect(status.textContent).not.toMatch(/\b100\b/);
    expect(screen.queryByText('10')).toBe(null);
    shown.unmount();
  }
});

it('moves the weight by keyboard as far as the keys say, and keeps the focus', async () => {
  answerTrpc({ 'collections.fields': () => [], 'search.hybrid': () => answer });
  const changes: Partial<SearchState>[] = [];
  renderScreen({ collection: 1, mode: 'hybrid' }, undefined, (change) => changes.push(change));
  const slider = await screen.findByRole('slider', { name: 'Weight of meaning against words' });
  slider.focus();
  await userEvent.keyboard('{ArrowRight>10/}');
  await waitFor(() => expect(changes.at(-1)).toMatchObject({ alpha: 1 }));
  expect(document.activeElement).toBe(slider);
});

it('offers to activate a collection that is inactive, and asks it nothing', async () => {
  const { calls } = answerTrpc({ 'collections.update': () => collectionRow(1, 'films') });
  renderScreen({ collection: 1 }, [{ ...collectionRow(1, 'films'), isActive: false }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Activate' }));
  await waitFor(() =>
    expect(calls).toEqual([{ path: 'collections.update', input: { collection: 1, isActive: true } }]),
  );
});

it('builds the filter in rows, in step with its text', async () => {
  answerTrpc({ 'collections.fields': shapeFields, 'search.keyword': shapeAnswer });
  renderScreen({ collection: 1, filter: 'year:>2000' });
  expect(await screen.findByRole('heading', { name: 'Metropolis' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Build the filter' }));
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Filter' });
  const value = await screen.findByRole('textbox', { name: 'Value 1' });
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Field 1' }).value).toBe('Year');
  await userEvent.clear(value);
  // A row that is not complete is no condition.
  await waitFor(() => expect(box.value).toBe(''));
  await userEvent.type(value, '1990');
  await waitFor(() => expect(box.value).toBe('year:>1990'));
});

it('says that judgements could not be loaded, and loads them again', async () => {
  let isAway = true;
  const judged = {
    query: 'robot',
    document: '1',
    grade: 1,
    judgedAt: '2026-03-01T12:00:00Z',
    judgedBy: null,
  };
  answerTrpc({
    'collections.fields': () => [],
    'search.keyword': () => answer,
    'judgements.list': () =>
      isAway ? refuse({ code: 'UNAVAILABLE', message: 'Away' }) : { judgements: [judged] },
  });
  renderScreen({ collection: 1 });
  const retry = await screen.findByRole('button', { name: 'Judgements not loaded. Try again' });
  isAway = false;
  await userEvent.click(retry);
  const up = await screen.findByRole('button', { name: 'Relevant: Metropolis' });
  expect(up.getAttribute('aria-pressed')).toBe('true');
});

it('takes back what the server refuses to keep, and says so', async () => {
  answerTrpc({
    'collections.fields': () => [],
    'search.keyword': () => answer,
    'judgements.list': () => ({ judgements: [] }),
    'judgements.put': () => refuse({ code: 'FORBIDDEN', message: 'This needs the role "editor"' }),
  });
  renderScreen({ collection: 1 });
  const up = await screen.findByRole('button', { name: 'Relevant: Metropolis' });
  await waitFor(() => expect(up.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(up);
  await waitFor(() => expect(up.getAttribute('aria-pressed')).toBe('false'));
  expect(currentToast()).toMatchObject({
    title: 'The judgement was not kept',
    description: 'This needs the role "editor"',
  });
});

it('leaves an override alone that acts on other queries too', async () => {
  const override = { id: 'all', rule: { query: 'rob', match: 'contains' }, active: true };
  const { calls } = answerTrpc({
    'collections.fields': () => [],
    'search.keyword': () => ({ ...answer, request: { ...answer.request, override: { id: 'all' } } }),
    'judgements.list': () => ({ judgements: [] }),
    'overrides.get': () => override,
  });
  renderScreen({ collection: 1 });
  const pin = await screen.findByRole('button', { name: 'Pin to the top: Metropolis' });
  await waitFor(() => expect(pin.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(pin);
  await waitFor(() =>
    expect(currentToast()).toMatchObject({
      title: 'It could not be pinned',
      description: 'The override “all” acts on this query and on others. Pin the document there.',
    }),
  );
  expect(calls.map(({ path }) => path)).not.toContain('overrides.upsert');
});
