// @vitest-environment node
import { expect, it } from 'vitest';
import { pageOf } from './page-of.ts';

const rows = Array.from({ length: 50 }, (_, i) => i);

it.each([
  [1, { first: 0, length: 24, page: 1 }],
  [3, { first: 48, length: 2, page: 3 }],
  [99, { first: 48, length: 2, page: 3 }],
  [0, { first: 0, length: 24, page: 1 }],
])('page %i of 50', (page, expected) => {
  const { shown, pages, page: within } = pageOf(rows, page);
  expect({ first: shown[0], length: shown.length, page: within }).toEqual(expected);
  expect(pages).toBe(3);
});

it('an empty list has one page', () => {
  expect(pageOf([], 2)).toEqual({ shown: [], page: 1, pages: 1 });
});
