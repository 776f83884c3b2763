import { expect, test } from 'vitest';
import { Occurrences } from './occurrences.ts';

test('a number beyond those that were met is none of them', () => {
  const occurrences = new Occurrences();
  occurrences.add(3);
  expect([3, 4, 64, 1_000_000].map((number) => occurrences.has(number))).toEqual([true, false, false, false]);
});
