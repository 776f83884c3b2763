import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markedPieces, marksWithin } from './field-marks.ts';

it('cuts a text at its marks; marks that touch or overlap are one', () => {
  const pieces = markedPieces('abcdefgh', [
    { start: 4, end: 6 },
    { start: 1, end: 3 },
    { start: 2, end: 4 },
  ]);
  expect(pieces.map(({ text, isMarked }) => [text, isMarked])).toEqual([
    ['a', false],
    ['bcdef', true],
    ['gh', false],
  ]);
});

it('loses nothing of the text, and marks what the marks say', () => {
  const mark = fc
    .tuple(fc.nat(20), fc.nat(20))
    .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.array(mark), (text, marks) => {
      const pieces = markedPieces(text, marks);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      for (const { text: own, start, isMarked } of pieces)
        for (let at = start; at < start + own.length; at += 1)
          expect(marks.some((one) => one.start <= at && at < one.end)).toBe(isMarked);
    }),
  );
});

it('finds the marks of a field and of what lies in it', () => {
  const marks = ['tags.1', 'tagsOther', 'tags'].map((field) => ({ field, start: 0, end: 1 }));
  expect(marksWithin(marks, 'tags').map(({ field }) => field)).toEqual(['tags.1', 'tags']);
});
