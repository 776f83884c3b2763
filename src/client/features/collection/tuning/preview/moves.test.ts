import { expect, test } from 'vitest';
import { movesOf, movesSentence } from './moves.ts';

const letters = (text: string) => [...text];

test('what moved, came and went is told of the first, and where the others are of all that were answered', () => {
  const moves = movesOf(letters('abcdefg'), letters('badhfcx'), 4);
  expect(moves.before).toEqual([
    { id: 'a', now: 2 },
    { id: 'b', now: 1 },
    { id: 'c', now: 6 },
    { id: 'd', now: 3 },
  ]);
  expect(moves.after).toEqual([
    { id: 'b', was: 2 },
    { id: 'a', was: 1 },
    { id: 'd', was: 4 },
    { id: 'h', was: null },
  ]);
  expect(movesSentence(moves, 4)).toBe('Of the first 4: 3 moved, 1 new, 1 gone');
});

test('a hit that comes from behind the first is new among them', () => {
  const moves = movesOf(letters('abcde'), letters('eabcd'), 4);
  expect(moves.after[0]).toEqual({ id: 'e', was: 5 });
  expect(movesSentence(moves, 4)).toBe('Of the first 4: 3 moved, 1 new, 1 gone');
});

test('the same twice is no change, and so is nothing', () => {
  expect(movesSentence(movesOf(letters('abc'), letters('abc'), 10), 10)).toBe('These hits stay as they are');
  expect(movesOf([], [], 10)).toEqual({ before: [], after: [], moved: 0, come: 0, gone: 0 });
});
