// @vitest-environment node
import { expect, it } from 'vitest';
import { cellText } from './cell-text.ts';

it.each([
  [{ a: 1 }, 'a', '1'],
  [{ a: { b: 'x' } }, 'a.b', 'x'],
  [{ 'a.b': 'x' }, 'a.b', 'x'],
  [{ 'a.b': { c: 'x' }, a: { 'b.c': 'y' } }, 'a.b.c', 'x, y'],
  [{ a: [{ b: 1 }, { b: [2, 3] }, { c: 4 }] }, 'a.b', '1, 2, 3'],
  [{ a: true }, 'a', 'yes'],
  [{ a: null }, 'a', 'null'],
  [{ a: [{ lat: 1 }] }, 'a', '{"lat":1}'],
  [{ b: 1 }, 'a', ''],
])('%j at %s is %s', (document, path, text) => {
  expect(cellText(document, path)).toBe(text);
});

it('ends where a cell does', () => {
  const text = cellText({ a: 'word '.repeat(200) }, 'a');
  expect(text.length).toBeLessThanOrEqual(161);
  expect(text.endsWith('word…')).toBe(true);
});
