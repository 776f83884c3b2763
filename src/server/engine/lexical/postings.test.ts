import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frequencyOf, makePosting, ordinalOf, ordinalsMax, Postings } from './postings.ts';

it('reads back every list, however the appends of several lists are mixed', () => {
  const addition = fc.record({ term: fc.nat(3), field: fc.nat(2), times: fc.integer({ min: 1, max: 400 }) });
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 20 }), (additions) => {
      const postings = new Postings();
      const expected = new Map<string, number[]>();
      let ordinal = 0;
      for (const { term, field, times } of additions) {
        for (let i = 0; i < times; i += 1) {
          const posting = makePosting(ordinal, (ordinal % 300) + 1);
          ordinal += 1;
          postings.add(term, field, posting);
          expected.set(`${term}/${field}`, [...(expected.get(`${term}/${field}`) ?? []), posting]);
        }
      }
      const found = new Map<string, number[]>();
      for (let term = 0; term < 4; term += 1) {
        for (let list = postings.listOf(term); list >= 0; list = postings.nextList(list))
          found.set(`${term}/${postings.fieldOf(list)}`, Array.from(postings.read(list)));
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

it('packs the largest ordinal and cuts a frequency at 255', () => {
  const posting = makePosting(ordinalsMax - 1, 1000);
  expect(ordinalOf(posting)).toBe(ordinalsMax - 1);
  expect(frequencyOf(posting)).toBe(255);
});
