import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { supportedScores } from './supported-scores.ts';

const hit = fc.record({
  score: fc.double({ min: 0.1, max: 1, noNaN: true }),
  // All near to each other.
  vector: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
  model: fc.constantFrom('one', 'other'),
});

test('only vectors of one model and of as many components are compared', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 50 }), (hits) => {
      const of = (some: typeof hits, models?: string[]) =>
        runSteps(
          supportedScores(
            {
              scores: Float64Array.from(some, ({ score }) => score),
              vectors: some.map(({ vector }) => Float32Array.from(vector)),
              ...(models && { models }),
            },
            0.4,
          ),
        );
      const all = of(
        hits,
        hits.map(({ model }) => model),
      );
      for (const name of ['one', 'other']) {
        const own = hits.filter(({ model }) => model === name);
        const scores = all.filter((_, place) => hits[place]?.model === name);
        if (own.length > 1) expect(scores).toEqual(of(own));
      }
    }),
  );
  const vectors = [
    Float32Array.of(1, 0),
    Float32Array.of(1, 0, 0),
    new Float32Array(0),
    Float32Array.of(2, 0),
  ];
  const scores = runSteps(supportedScores({ scores: Float64Array.of(1, 0.5, 0.4, 0.1), vectors }, 0.5));
  // Of those that cannot be compared the mean of all counts, .5.
  for (const [place, score] of [0.55, 0.5, 0.45, 0.55].entries())
    expect(scores[place]).toBeCloseTo(score, 12);
});
