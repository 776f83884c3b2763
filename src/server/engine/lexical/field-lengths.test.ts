import fc from 'fast-check';
import { expect, it } from 'vitest';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';
import { FieldLengths } from './field-lengths.ts';

it('lengths that are kept are those that are not, whatever was asked before', () => {
  const entry = fc.tuple(fc.nat(3), fc.nat(2_000));
  const weights = fc.array(fc.constantFrom(0, 0.5, 1, 2), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.array(entry, { maxLength: 4 }), { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(weights, fc.boolean(), fc.array(fc.nat(19))), { maxLength: 6 }),
      (documents, rounds) => {
        const lengths = new FieldLengths();
        for (const [round, [given, isKept, asked]] of rounds.entries()) {
          // Documents come between the rounds.
          const own = documents[round % documents.length] ?? [];
          lengths.push(own);
          const usual = Float64Array.from(given);
          if (isKept) lengths.keep(usual);
          for (const ordinal of asked.filter((each) => each <= round))
            expect(lengths.of(ordinal, usual)).toBe(lengths.of(ordinal, usual.slice()));
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('weights of titles that take turns give the scores that each gives alone', () => {
  const documents = Array.from({ length: 40 }, (_, i) =>
    document(`d${i}`, { title: 'red '.repeat(1 + (i % 3)), text: 'blue '.repeat(i) }),
  );
  const search = (titleWeight: number) => {
    const query = searchFor({ text: 'red', limit: 40 });
    return { ...query, ranking: { ...query.ranking, titleWeight } };
  };
  const index = indexOf(documents);
  for (const titleWeight of [2, 2, 3, 2, 3, 3, 2, 3, 1, 2, 2])
    expect(index.search(search(titleWeight))).toEqual(indexOf(documents).search(search(titleWeight)));
});
