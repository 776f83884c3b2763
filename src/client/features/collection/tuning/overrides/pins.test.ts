import { expect, test } from 'vitest';
import type { Override } from '#shared/overrides.ts';
import { withHidden, withoutPin, withPin } from './pins.ts';

const plain: Override = { id: 'o', rule: { query: 'tv', match: 'exact' }, active: true };
const with3: Override = {
  ...plain,
  includes: [
    { id: 'a', position: 1 },
    { id: 'b', position: 2 },
    { id: 'd', position: 4 },
  ],
};
const places = ({ includes = [] }: Override) =>
  includes.map(({ id, position }) => `${id}${position}`).join(' ');

test('a new pin takes its place, and those there make room as far as they have to', () => {
  expect(places(withPin(plain, 'x', 3))).toBe('x3');
  expect(places(withPin(with3, 'x', 1))).toBe('x1 a2 b3 d4');
  expect(places(withPin(with3, 'x', 2))).toBe('a1 x2 b3 d4');
  expect(places(withPin(with3, 'x', 4))).toBe('a1 b2 x4 d5');
});

test('a pin that is moved changes places', () => {
  expect(places(withPin(with3, 'b', 1))).toBe('b1 a2 d4');
  expect(places(withPin(with3, 'a', 3))).toBe('b2 a3 d4');
});

test('a document is pinned or left out, never both', () => {
  const hidden = withHidden(with3, 'b');
  expect([places(hidden), hidden.excludes]).toEqual(['a1 d4', [{ id: 'b' }]]);
  const again = withPin(withHidden(hidden, 'b'), 'b', 1);
  expect([places(again), again.excludes]).toEqual(['b1 a2 d4', []]);
  expect(places(withoutPin(again, 'b'))).toBe('a2 d4');
});
