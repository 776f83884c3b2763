import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WordSpans } from './word-spans.ts';

const spansOf = ({ count, bounds, isAscii, bytes }: WordSpans) =>
  Array.from({ length: count }, (_, i) => [
    bounds[2 * i] ?? 0,
    bounds[2 * i + 1] ?? 0,
    bytes !== null || (isAscii[i] ?? 0) === 1,
  ]);

function readInParts(text: string, units: number): unknown[] {
  const spans = new WordSpans();
  spans.begin(text);
  const all: unknown[] = [];
  for (let isMore = true; isMore; ) {
    isMore = spans.readOn(units);
    all.push(...spansOf(spans));
  }
  return all;
}

it('finds the same words part by part, wherever the parts end', () => {
  const ascii = fc.constantFrom(..."ab S'1 -.");
  const any = fc.constantFrom(
    ..."aé 1-'s’東京がก",
    '\u0e34',
    '\u0301',
    '\u200d',
    '\u{20000}',
    '\ud800',
    '\u00ad',
  );
  const text = fc.oneof(
    fc.string({ unit: ascii, maxLength: 40 }),
    fc.string({ unit: any, maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const whole = new WordSpans();
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (text, units) => {
      whole.read(text);
      expect(readInParts(text, units)).toEqual(spansOf(whole));
    }),
    { numRuns: 2_000 },
  );
});
