import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useTypedText } from './use-typed-text.ts';

function open(initial = '') {
  const told: string[] = [];
  const { result, rerender } = renderHook(({ value }) => useTypedText(value, (text) => told.push(text)), {
    initialProps: { value: initial },
  });
  return {
    told,
    text: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    hold: (value: string) => rerender({ value }),
  };
}

it('loses no letter to a parent that follows later, or skips some', () => {
  const box = open();
  for (const text of ['k', 'ke', 'kee', 'keep']) box.type(text);
  expect(box.told).toEqual(['k', 'ke', 'kee', 'keep']);
  box.hold('k');
  expect(box.text()).toBe('keep');
  box.hold('kee');
  expect(box.text()).toBe('keep');
  box.type('keeps');
  box.hold('keep');
  box.hold('keeps');
  expect(box.text()).toBe('keeps');
});

it('shows what its parent says by itself', () => {
  const box = open('films');
  expect(box.text()).toBe('films');
  box.hold('');
  expect(box.text()).toBe('');
  box.type('books');
  box.hold('books');
  box.hold('films');
  expect(box.text()).toBe('films');
  box.type('film');
  box.hold('');
  expect(box.text()).toBe('');
});
