import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markedPieces, marksWithin } from './field-marks.ts';

const shown = (text: string, marks: Parameters<typeof markedPieces>[1]) =>
  markedPieces(text, marks).map(({ text: piece, kind }) => [piece, kind]);

it('cuts a text at its marks; marks that touch or overlap are one', () => {
  const marks = [
    { start: 4, end: 6 },
    { start: 1, end: 3 },
    { start: 2, end: 4 },
  ];
  expect(shown('abcdefgh', marks)).toEqual([
    ['a', 'plain'],
    ['bcdef', 'marked'],
    ['gh', 'plain'],
  ]);
});

it('cuts what stands around a mark at the mark', () => {
  const around = { start: 1, end: 7, isAround: true };
  expect(shown('abcdefgh', [around, { start: 3, end: 5 }])).toEqual([
    ['a', 'plain'],
    ['bc', 'around'],
    ['de', 'marked'],
    ['fg', 'around'],
    ['h', 'plain'],
  ]);
  expect(shown('abcdefgh', [around, { start: 0, end: 2 }])).toEqual([
    ['ab', 'marked'],
    ['cdefg', 'around'],
    ['h', 'plain'],
  ]);
});

it('loses nothing of the text, and marks what the marks say', () => {
  const mark = fc
    .tuple(fc.nat(20), fc.nat(20), fc.boolean())
    .map(([a, b, isAround]) => ({ start: Math.min(a, b), end: Math.max(a, b), isAround }));
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.array(mark), (text, marks) => {
      const pieces = markedPieces(text, marks);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      for (const { text: own, start, kind } of pieces)
        for (let at = start; at < start + own.length; at += 1) {
          const over = marks.filter((one) => one.start <= at && at < one.end);
          const strongest = over.some(({ isAround }) => !isAround) ? 'marked' : 'around';
          expect(kind).toBe(over.length === 0 ? 'plain' : strongest);
        }
    }),
  );
});

it('finds the marks of a field and of what lies in it', () => {
  const marks = ['tags.1', 'tagsOther', 'tags'].map((field) => ({ field, start: 0, end: 1 }));
  expect(marksWithin(marks, 'tags').map(({ field }) => field)).toEqual(['tags.1', 'tags']);
});
