import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerTrpc } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import type { ExplainAnswer } from '#shared/standing.ts';
import { searchState } from '../search-state.ts';
import { Standing } from './standing.tsx';

const standing: ExplainAnswer = {
  id: 'runner',
  rank: null,
  page: null,
  found: 100,
  out_of: 4_000,
  lost: {
    step: 'word',
    message: 'It does not hold enough of the words',
    words: [{ word: 'robots' }, { word: 'love', near: { word: 'los', typos: 2 }, other_fields: ['cast'] }],
    nearest: 735,
  },
  changes: [
    { parameter: 'k', value: 735 },
    { parameter: 'page', value: 80 },
  ],
  request: { mode: 'hybrid', query: 'robots love' },
};

it('says what is lacking once, and numbers the hits of a later page as they stand', async () => {
  const hits = [
    { id: 'runner', document: { id: 'runner', title: 'Blade Runner' }, score: 0, highlights: [] },
  ];
  answerTrpc({ 'search.hybrid': () => ({ hits, found: 735, request: {} }) });
  renderPart(
    <Standing
      state={searchState({ q: 'robots love' } as Parameters<typeof searchState>[0])}
      collection={{ id: 1 }}
      title="Blade Runner"
      standing={standing}
      onApply={() => undefined}
    />,
  );
  const after = await screen.findByRole('list', { name: 'After' });
  expect((after as HTMLOListElement).start).toBe(791);
  expect((screen.getByRole('list', { name: 'Before' }) as HTMLOListElement).start).toBe(1);
  expect(screen.getByText('It does not hold enough of the words.')).toBeDefined();
  expect(screen.getByText('“love”, but “los”; it stands in cast, not searched here')).toBeDefined();
});
