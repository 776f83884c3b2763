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

it('marks the ordinals that a list has, as reading it does', () => {
  const gap = fc.oneof(
    { weight: 5, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
  );
  fc.assert(
    fc.property(
      fc.array(gap, { maxLength: 1_500 }),
      fc.uniqueArray(fc.nat(3_000), { maxLength: 20 }),
      (gaps, wanted) => {
        const postings = new Postings();
        let ordinal = 0;
        for (const each of gaps) {
          postings.add(0, 0, makePosting(ordinal, 1));
          postings.add(1, 0, makePosting(ordinal, 1));
          ordinal += each;
        }
        const list = postings.listOf(0);
        const inList = list < 0 ? [] : Array.from(postings.read(list), ordinalOf);
        const sorted = Int32Array.from(wanted).sort();
        const held = new Uint8Array(sorted.length);
        if (list >= 0) postings.markHeld(list, sorted, held);
        expect(Array.from(held)).toEqual(Array.from(sorted, (each) => Number(inList.includes(each))));
      },
    ),
  );
});

it('knows whether a living document holds a term', () => {
  const postings = new Postings();
  postings.add(7, 0, makePosting(0, 1));
  postings.add(7, 1, makePosting(0, 1));
  postings.add(7, 1, makePosting(1, 1));
  postings.forget(7, 0);
  postings.forget(7, 1);
  expect(postings.isLive(7)).toBe(true);
  postings.forget(7, 1);
  expect([postings.isLive(7), postings.isLive(8)]).toEqual([false, false]);
});

it('packs the largest ordinal and cuts a frequency at 255', () => {
  const posting = makePosting(ordinalsMax - 1, 1000);
  expect(ordinalOf(posting)).toBe(ordinalsMax - 1);
  expect(frequencyOf(posting)).toBe(255);
});
