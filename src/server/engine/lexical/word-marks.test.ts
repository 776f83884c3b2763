import { expect, it } from 'vitest';
import { bitsOf, marksCount, otherMark, severalMark, WordMarks, withMark } from './word-marks.ts';

/** Of so many words of term 0. */
function marksOf(count: number): number[] {
  const marks = new WordMarks();
  return Array.from({ length: count }, (_, word) => {
    marks.add(word, 0);
    return marks.of(word);
  });
}

it('the words of a term have numbers, which 254 share with nobody', () => {
  const marks = marksOf(300);
  expect(new Set(marks).size).toBe(254);
  for (const mark of marks) {
    expect(mark).toBeGreaterThan(otherMark);
    expect(mark).toBeLessThan(severalMark);
    expect(withMark(mark, mark)).toBe(mark);
  }
});

it('several words have a bit of each, nine of them one of their own, in whatever order they came', () => {
  const marks = [otherMark, ...marksOf(25)];
  expect(new Set(marks.map(bitsOf)).size).toBe(11);
  expect(new Set(marks.slice(10).map(bitsOf)).size).toBe(1);
  for (const one of marks) {
    for (const other of marks) {
      const both = withMark(one, other);
      expect(both).toBe(withMark(other, one));
      expect(both).toBeLessThan(marksCount);
      expect(bitsOf(both)).toBe(bitsOf(one) | bitsOf(other));
      for (const third of marks) expect(bitsOf(withMark(both, third))).toBe(bitsOf(both) | bitsOf(third));
    }
  }
});
