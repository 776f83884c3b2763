import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { SectionReader, SectionWriter } from '../memory/sections.ts';
import { runSteps } from '../steps.ts';
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

it('finds the list of a field in a chain of many, after decoding too, looking at a few', () => {
  const fields = 1_000;
  const terms = 5;
  const postings = new Postings();
  const fieldOf = vi.spyOn(Postings.prototype, 'fieldOf');
  const fill = (into: Postings, ordinal: number) => {
    for (let field = 0; field < fields; field += 1)
      for (let term = 0; term < terms; term += 1) into.add(term, field, makePosting(ordinal, 1));
  };
  fill(postings, 0);
  fill(postings, 1);
  expect(fieldOf.mock.calls.length).toBeLessThanOrEqual(2 * fields * terms * 16);
  fieldOf.mockRestore();

  const writer = new SectionWriter();
  postings.encode(writer);
  const decoded = runSteps(Postings.decode(new SectionReader(runSteps(writer.finish()))));
  fill(decoded, 2);
  for (let term = 0; term < terms; term += 1) {
    const found: number[] = [];
    for (let list = decoded.listOf(term); list >= 0; list = decoded.nextList(list)) {
      expect(Array.from(decoded.read(list), ordinalOf)).toEqual([0, 1, 2]);
      found.push(decoded.fieldOf(list));
    }
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: fields }, (_, field) => field));
  }
  postings.forget(3, 500);
  for (let ordinal = 0; ordinal < 2; ordinal += 1)
    for (let field = 0; field < fields; field += 1)
      if (field !== 500 || ordinal === 0) postings.forget(3, field);
  expect(postings.isLive(3)).toBe(false);
});
