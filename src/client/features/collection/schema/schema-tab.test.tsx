import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const fields = [
  {
    path: 'extract',
    types: ['string'],
    counts: [{ type: 'string', documentCount: 200 }],
    isDeclared: false,
    documentCount: 200,
  },
  {
    path: 'year',
    types: ['number', 'string'],
    counts: [
      { type: 'number', documentCount: 97 },
      { type: 'string', documentCount: 3 },
    ],
    isDeclared: false,
    documentCount: 100,
  },
  {
    path: 'price',
    types: ['number'],
    counts: [{ type: 'number', documentCount: 0 }],
    isDeclared: true,
    documentCount: 0,
  },
];

it('tells of each field what it holds, how often, and where it differs, the declared ones first', async () => {
  serveConsole(ada, {
    'collections.get': () => ({
      ...collectionRow(1, 'films', 200),
      metadata: {
        fields: [{ name: 'price', type: 'number', required: false }],
        embed: { fields: ['extract'] },
      },
    }),
    'collections.fields': () => fields,
    'searchSettings.get': () => unsaid,
    'search.keyword': () => ({
      facet_counts: [
        {
          field_name: 'year',
          counts: [{ value: '1950', count: 9 }],
          stats: { min: 1900, max: 2023, avg: 1, sum: 1 },
        },
      ],
    }),
  });
  renderConsole('/collections/1?tab=schema');
  const table = within(await screen.findByRole('table'));
  const [, ...rows] = table.getAllByRole('row');
  expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual([
    'pricePrice',
    'extractExtract',
    'yearYear',
  ]);
  const [, , year] = rows;
  if (!year) throw new Error('there are three rows');
  expect(await within(year).findByText('1900 to 2023, 1 value')).toBeDefined();
  expect(within(year).getByText('number 97 %')).toBeDefined();
  const odd = within(year).getByRole('link', { name: '3 with a text' });
  expect(new URLSearchParams(odd.getAttribute('href')?.split('?')[1]).get('filter')).toBe(
    'year:* && !(year:>=0 || year:<0)',
  );
  expect(within(year).getByRole('link', { name: '100 without' })).toBeDefined();
  expect(screen.getByText('Embedded').parentElement?.textContent).toBe('Embeddedextract');
  expect(screen.getByText('Long texts').parentElement?.textContent).toBe(
    'Long textsBeyond 2,000 characters a vector for each passage, up to 64; the nearest one counts.',
  );
});

const unsaid = { language: null, acting_language: 'en', detected_language: null, detected_documents: 0 };

it.each([
  [unsaid, 'Read as English. Another one is set in Tuning.'],
  [
    { ...unsaid, acting_language: 'de', detected_language: 'de', detected_documents: 24 },
    'Detected: German (from 24 documents).',
  ],
  [
    { ...unsaid, detected_language: 'de', detected_documents: 24 },
    'Detected: German (from 24 documents), but read as English until it is set in Tuning.',
  ],
  [{ ...unsaid, language: 'fr', acting_language: 'fr' }, 'French, as it was set.'],
  [
    { language: 'fr', acting_language: 'fr', detected_language: 'it', detected_documents: 200 },
    'French, as it was set. Detected: Italian (from 200 documents).',
  ],
])('says which language texts are read as, of %j', async (settings, text) => {
  serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 200),
    'collections.fields': () => [],
    'searchSettings.get': () => settings,
  });
  renderConsole('/collections/1?tab=schema');
  const label = await screen.findByText('Language');
  await waitFor(() => expect(label.parentElement?.textContent).toBe(`Language${text}`));
});
