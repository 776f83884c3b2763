import fc from 'fast-check';
import type { SearchQuery } from '../types.ts';

const weight = fc.double({ min: -2, max: 2, noNaN: true });

/** Whether and by what relevance is told, and what has too little of it. */
export const relevanceAsked: fc.Arbitrary<NonNullable<SearchQuery['relevance']> | null> = fc.option(
  fc.record({
    model: fc.record({
      base: weight,
      score: fc.oneof(fc.double({ min: 0, max: 6, noNaN: true }), fc.constant(0)),
      words: weight,
      nearest: weight,
    }),
    min: fc.constantFrom(null, 0, 0.3, 0.5, 0.7, 1),
  }),
  { freq: 2 },
);
