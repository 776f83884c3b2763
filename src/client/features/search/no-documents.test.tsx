import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const nothing = {
  found: 0,
  out_of: 0,
  page: 1,
  per_page: 10,
  search_time_ms: 1,
  timings: [],
  hits: [],
  facet_counts: [],
  request: { mode: 'keyword', query: '*' },
};

it.each(['/search', '/search?collection=1'])(
  '%s offers samples and files where all is empty',
  async (address) => {
    const { calls } = serveConsole(ada, {
      'collections.list': () => [collectionRow(1, 'films')].map((row) => ({ ...row, documentCount: 0 })),
      'collections.fields': () => [],
      'search.keyword': () => nothing,
      'samples.load': () => ({ collection: collectionRow(2, 'products'), import: null }),
    });
    renderConsole(address);
    expect(await screen.findByRole('heading', { name: 'No documents yet' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Import a file' })).toBeDefined();
    await userEvent.click(await screen.findByRole('button', { name: 'Load the sample Products' }));
    await waitFor(() =>
      expect(calls.find(({ path }) => path === 'samples.load')?.input).toMatchObject({ sample: 'products' }),
    );
  },
);
