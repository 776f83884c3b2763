import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useTypedFilter } from './use-typed-filter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(initial: string) {
  const written: string[] = [];
  const { result, rerender } = renderHook(
    ({ filter }) => useTypedFilter(filter, (text) => written.push(text)),
    { initialProps: { filter: initial } },
  );
  return {
    written,
    type: (text: string) => act(() => result.current.type(text)),
    hold: (filter: string) => rerender({ filter }),
    wait: () => act(() => vi.runAllTimers()),
  };
}

it('is written once its typing pauses', () => {
  const box = open('');
  for (const text of ['y', 'ye', 'year:>1']) box.type(text);
  box.wait();
  expect(box.written).toEqual(['year:>1']);
});

it('one that stands in the address already is not written again, which would undo what was clicked since', () => {
  const box = open('year:<1900');
  box.type('');
  // The button that clears it writes the address by itself.
  box.hold('');
  box.wait();
  expect(box.written).toEqual([]);
});

it('what was typed back while the former text is on its way is written', () => {
  const box = open('');
  box.type('a');
  box.wait();
  box.type('');
  box.wait();
  expect(box.written).toEqual(['a', '']);
});
