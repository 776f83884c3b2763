import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { answerTrpc } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { collectionRow } from '#client/testing/rows.ts';
import { searchState } from './search-state.ts';
import { useSearch } from './use-search.ts';

const collections = [collectionRow(1, 'films')];

function Search() {
  const [q, setQ] = useState('rob');
  useSearch({
    state: searchState({ q } as Parameters<typeof searchState>[0]),
    collection: null,
    collections,
  });
  return (
    <button type="button" onClick={() => setQ('robot')}>
      type
    </button>
  );
}

it('gives up a search that the next words have replaced', async () => {
  const signals: AbortSignal[] = [];
  answerTrpc({
    'search.multi': (_, signal) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ results: [] })));
    },
  });
  renderPart(<Search />);
  await waitFor(() => expect(signals).toHaveLength(1));
  expect(signals[0]?.aborted).toBe(false);
  screen.getByRole('button', { name: 'type' }).click();
  await waitFor(() => expect(signals).toHaveLength(2));
  await waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]));
});
