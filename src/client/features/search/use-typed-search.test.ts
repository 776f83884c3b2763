import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { searchState } from './search-state.ts';
import { useTypedSearch } from './use-typed-search.ts';

it('after a step Back nothing is searched for but what the address says', async () => {
  const address = (q: string, page = 1) => searchState({ q, page } as Parameters<typeof searchState>[0]);
  const asked: string[] = [];
  const { rerender, result } = renderHook(
    ({ state }) => {
      const typed = useTypedSearch(state, () => {});
      asked.push(`${typed.ahead.q}, page ${typed.ahead.page}`);
      return typed;
    },
    { initialProps: { state: address('whale') } },
  );
  act(() => result.current.type({ q: 'whales' }));
  await expect.poll(() => result.current.ahead.q).toBe('whales');
  asked.length = 0;
  rerender({ state: address('shark', 3) });
  await expect.poll(() => result.current.ahead).toEqual(address('shark', 3));
  expect(new Set(asked)).toEqual(new Set(['shark, page 3']));
});
