import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Analytics } from '#shared/analytics.ts';

const none: Analytics = {
  from: '2026-11-20',
  to: '2026-11-21',
  searches: 0,
  without_results: 0,
  clicks: 0,
  conversions: 0,
  click_through_rate: null,
  conversion_rate: null,
  search_time_ms: null,
  clicks_by_position: [],
  days: ['2026-11-20', '2026-11-21'].map((date) => ({
    date,
    searches: 0,
    without_results: 0,
    clicks: 0,
    conversions: 0,
  })),
  queries: [],
};

function open(address: string, answer: (input: { kind: string; days: number }) => Analytics) {
  const { calls } = serveConsole(ada, {
    'collections.get': () => collectionRow(1, 'films', 200),
    'analytics.get': (input) => answer(input as { kind: string; days: number }),
  });
  const asked = () => calls.filter(({ path }) => path === 'analytics.get').map(({ input }) => input);
  return { ...renderConsole(address), asked };
}

it('tells how searches and clicks become known while there are none', async () => {
  open('/collections/1?tab=analytics', () => none);
  await screen.findByText('No searches in these days');
  expect(screen.getByText(/\/api\/collections\/films\/events/)).toBeDefined();
});

it('shows the sums, the queries and where they lead, for the days and the list in the address', async () => {
  const page = open('/collections/1?tab=analytics&period=7', ({ kind }) => ({
    ...none,
    searches: 40,
    without_results: 10,
    clicks: 5,
    click_through_rate: 0.125,
    clicks_by_position: [{ position: 1, clicks: 4 }],
    queries: [
      {
        query: kind === 'top' ? 'star wars' : 'qwertz',
        searches: 30,
        without_results: 0,
        clicks: 5,
        conversions: 0,
        click_through_rate: 0.2,
        conversion_rate: 0,
        found: 12,
        click_position: 1.5,
      },
    ],
  }));
  const without = within(await screen.findByRole('region', { name: 'Without results' }));
  expect(without.getByText('25.0 %')).toBeDefined();
  const query = screen.getByRole('link', { name: 'star wars' });
  expect(query.getAttribute('href')).toMatch(/^\/search\?.*q=star\+wars|q=star%20wars/);
  expect(within(screen.getByRole('list', { name: 'Clicks by position' })).getByText('#1')).toBeDefined();
  expect(page.asked()).toEqual([{ collection: 1, days: 7, kind: 'top', per_page: 25 }]);
  await userEvent.click(screen.getByText('Without clicks'));
  await screen.findByRole('link', { name: 'qwertz' });
  await waitFor(() =>
    expect(page.router.state.location.search).toMatchObject({ queries: 'no_clicks', period: '7' }),
  );
});
