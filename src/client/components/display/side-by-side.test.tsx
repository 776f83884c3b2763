import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '#client/testing/render.tsx';
import { SideBySide } from './side-by-side.tsx';

it('says where else a document stands, and not where it does not', async () => {
  const row = (key: string) => ({ key, title: key });
  renderPart(
    <SideBySide
      order={2}
      columns={[
        { label: 'Keyword', rows: [row('a'), row('b')], note: null },
        { label: 'Hybrid', rows: [row('b')], note: null },
        { label: 'Semantic', rows: [row('c'), row('b')], note: null },
      ]}
    />,
  );
  const rows = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
  expect(rows).toEqual([
    'ain this list alone',
    'bHybrid #1 · Semantic #2',
    'bKeyword #2 · Semantic #2',
    'cin this list alone',
    'bKeyword #2 · Hybrid #1',
  ]);
});
