import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Answers } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Override } from '#shared/overrides.ts';
import { engineOf } from '#shared/search-engines.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { Synonym } from '#shared/synonyms.ts';

const unset = Object.fromEntries(
  [
    'query_by',
    'query_by_weights',
    'prefix',
    'num_typos',
    'split_join_tokens',
    'drop_tokens_threshold',
    'match',
    'alpha',
    'fusion',
    'stop_words',
    'enable_synonyms',
    'enable_overrides',
    'min_relevance',
    'ranking',
    'language',
  ].map((name) => [name, null]),
);

const hit = (id: string, curated?: true) => ({
  id,
  document: { id, title: `Film ${id}` },
  score: 1,
  highlights: [],
  ...(curated && { curated }),
});

/** Finds a to d; a synonym adds s, an override acts as it says, no typos leave out d. */
function previewed(input: unknown) {
  const { draft } = input as { draft: RuleDraft };
  const override = draft.overrides?.put[0];
  let ids = ['a', 'b', 'c', ...(draft.settings?.num_typos === 0 ? [] : ['d'])];
  if (draft.synonyms?.put[0]) ids = ['s', ...ids];
  const hidden = new Set(override?.excludes?.map(({ id }) => id));
  const pins = override?.includes ?? [];
  ids = ids.filter((id) => !hidden.has(id) && !pins.some((pin) => pin.id === id));
  for (const { id, position } of pins) ids.splice(position - 1, 0, id);
  return {
    hits: ids.map((id) => hit(id, pins.some((pin) => pin.id === id) || undefined)),
    found: ids.length,
    request: { query: 'tv', ...(override && { override: { id: override.id } }) },
  };
}

function open(address: string, more: Answers = {}) {
  const synonyms: Synonym[] = [{ id: 'one', synonyms: ['tv', 'television'], root: null }];
  const overrides: Override[] = [];
  const served = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 4),
    'collections.fields': () => [
      { path: 'title', types: ['string'], documentCount: 4 },
      { path: 'year', types: ['number'], documentCount: 4 },
    ],
    'searchSettings.get': () => ({
      ...unset,
      acting_language: 'en',
      detected_language: null,
      detected_documents: 0,
    }),
    'searchSettings.update': (input) => ({ ...unset, ...(input as object) }),
    'synonyms.list': () => ({ synonyms }),
    'synonyms.upsert': (input) => input,
    'overrides.list': () => ({ overrides }),
    'overrides.upsert': (input) => input,
    'analytics.get': () => ({ queries: [{ query: 'tv' }] }),
    'search.keyword': () => ({ hits: [], found: 0, request: {} }),
    'search.preview': previewed,
    ...more,
  });
  const sent = (path: string) => served.calls.filter((call) => call.path === path).map(({ input }) => input);
  return { ...renderConsole(address), sent };
}

const address = (more: string) => `/collections/1?tab=tuning${more}`;
const listed = (label: string) =>
  within(screen.getByRole('list', { name: `${label}: hits` }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it('shows what everybody finds now, then what a setting changes, and saves it when it is told to', async () => {
  const { sent } = open(address('&try=tv'));
  await screen.findByText(/Nothing is changed yet/);
  expect(listed('Now').length).toBe(4);
  await userEvent.click(
    within(await screen.findByRole('radiogroup', { name: 'Typos that are forgiven in a word' })).getByText(
      'None',
    ),
  );
  await screen.findByText('Of the first 10: 1 gone');
  expect(listed('Before').at(-1)).toContain('Film dgone');
  expect(listed('After').length).toBe(3);
  expect(sent('searchSettings.update')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save settings' }));
  await waitFor(() => expect(sent('searchSettings.update')).toEqual([{ collection: 1, num_typos: 0 }]));
  await screen.findByText('Search settings saved');
  expect(screen.queryByRole('button', { name: 'Save settings' })).toBeNull();
});

it('tries a synonym while it is written, with its first word as the query', async () => {
  const { sent } = open(address('&part=synonyms'));
  await screen.findByText('tv = television');
  await userEvent.click(screen.getByRole('button', { name: 'Add synonym' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Words and phrases/ }), 'tv, screen');
  await screen.findByText('Of the first 10: 4 moved, 1 new');
  expect(listed('After')[0]).toContain('Film snew');
  expect(screen.getByRole('searchbox', { name: 'Query to try' })).toHaveProperty('value', 'tv');
  await userEvent.click(screen.getByRole('button', { name: 'Save synonym' }));
  await waitFor(() =>
    expect(sent('synonyms.upsert')).toEqual([
      { collection: 1, id: expect.any(String), synonyms: ['tv', 'screen'], root: null },
    ]),
  );
});

it('writes an override from the hits: pinned, moved, left out', async () => {
  const { sent } = open(address('&try=tv'));
  await userEvent.click(await screen.findByRole('button', { name: 'Pin one higher: Film c' }));
  const form = within(await screen.findByRole('form', { name: 'New override' }));
  expect(form.getByRole('textbox', { name: 'Query' })).toHaveProperty('value', 'tv');
  await screen.findByText('Of the first 10: 2 moved');
  expect(listed('After')[1]).toContain('Film cPinned');
  await userEvent.click(screen.getByRole('button', { name: 'Leave out: Film a' }));
  await waitFor(() => expect(listed('After').length).toBe(3));
  await userEvent.click(screen.getByRole('button', { name: 'Save override' }));
  await waitFor(() =>
    expect(sent('overrides.upsert')).toEqual([
      {
        collection: 1,
        id: 'tv',
        rule: { query: 'tv', match: 'exact' },
        includes: [{ id: 'c', position: 2 }],
        excludes: [{ id: 'a' }],
        active: true,
      },
    ]),
  );
});

it('keeps what is written while other parts are looked at, and asks before it is lost', async () => {
  const { router } = open(address('&part=synonyms'));
  await userEvent.click(await screen.findByRole('button', { name: 'Add synonym' }));
  await userEvent.type(screen.getByRole('textbox', { name: /Words and phrases/ }), 'tv, screen');
  await userEvent.click(
    within(screen.getByRole('radiogroup', { name: 'What is tuned' })).getByText('Settings'),
  );
  await screen.findByText('Fields that are searched');
  await userEvent.click(screen.getByText('Synonyms'));
  expect(await screen.findByRole('textbox', { name: /Words and phrases/ })).toHaveProperty(
    'value',
    'tv, screen',
  );
  await userEvent.click(screen.getByRole('tab', { name: 'Schema' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toMatchObject({ tab: 'tuning' });
  await userEvent.click(screen.getByRole('tab', { name: 'Schema' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave, and lose the changes' }));
  await waitFor(() => expect(router.state.location.search).not.toMatchObject({ tab: 'tuning' }));
});

it('a viewer tries a setting, is told that it is not saved, and leaves without a question', async () => {
  const viewer = () => [{ ...workspaceRow(1, 'Acme'), role: 'viewer' }];
  const { sent } = open(address('&try=tv'), {
    'workspaces.list': viewer,
    'judgements.measures': () => ({ measures: [], results: [], changes: [] }),
    'judgements.queries': () => ({ queries: [] }),
  });
  const typos = await screen.findByRole('radiogroup', { name: 'Typos that are forgiven in a word' });
  await userEvent.click(within(typos).getByText('None', { exact: true }));
  await screen.findByText('Of the first 10: 1 gone');
  expect(await screen.findByText('Only tried: saving takes an editor.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save settings' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull();
  await userEvent.click(
    within(screen.getByRole('radiogroup', { name: 'What is tuned' })).getByText('Synonyms'),
  );
  await screen.findByText('tv = television');
  expect(screen.getByRole('button', { name: 'Edit tv = television' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Delete tv = television' })).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Relevance' }));
  expect(await screen.findByText(/^Once an editor has said/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Judge its hits' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent('searchSettings.update')).toEqual([]);
});

it('offers the language that was detected where texts are read as another', async () => {
  const { sent } = open(address(''), {
    'searchSettings.get': () => ({
      ...unset,
      acting_language: 'en',
      detected_language: 'de',
      detected_documents: 24,
    }),
  });
  await screen.findByText('Detected: German (from 24 documents)');
  await userEvent.click(screen.getByRole('button', { name: 'Use German' }));
  expect(screen.queryByRole('button', { name: 'Use German' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save settings' }));
  await waitFor(() => expect(sent('searchSettings.update')).toEqual([{ collection: 1, language: 'de' }]));
});

it('asks for what the engine builds into an index as the engine has it', async () => {
  open(address(''), { 'engine.get': () => engineOf('opensearch') });
  await userEvent.click(await screen.findByText('Constants of the ranking'));
  const weight = screen.getByLabelText('title_weight');
  expect(await screen.findAllByText(/A change makes the index anew/)).toHaveLength(3);
  await userEvent.type(weight, '2.5');
  await screen.findByText('A whole number from 1 to 10');
  await userEvent.clear(weight);
  await userEvent.type(weight, '3');
  expect(screen.queryByText('A whole number from 1 to 10')).toBeNull();
});
