import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { barHeightPercent, UsageChart } from './usage-chart.tsx';
import { UsageTable } from './usage-table.tsx';

const days = [
  { date: '2026-11-20', requests: 0 },
  { date: '2026-11-21', requests: 2_000 },
];

describe('the usage chart', () => {
  it.each([
    [0, 0, 10],
    [0, 2_000, 10],
    [100, 2_000, 10],
    [500, 2_000, 25],
    [2_000, 2_000, 100],
  ])('%i requests of at most %i is a bar of %i percent', (requests, most, percent) => {
    expect(barHeightPercent(requests, most)).toBe(percent);
  });

  it('is one picture with a name to a screen reader', async () => {
    renderPart(<UsageChart days={days} />);
    expect(
      await screen.findByRole('img', { name: 'Bar chart of 2,000 API requests over 2 days' }),
    ).toBeDefined();
  });

  it('has the same rows as a table, in UTC', async () => {
    renderPart(<UsageTable days={days} />);
    const rows = await screen.findAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      'Day (UTC)Requests',
      'Fri, Nov 200',
      'Sat, Nov 212,000',
    ]);
  });
});
