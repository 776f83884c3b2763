import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { pairProducts, scalarPairKernel, wasmPairKernel } from './pair-products.ts';

const components = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(384, 1_536, 4_096));
const number = fc.float({ min: -1, max: 1, noNaN: true });

test('each of a few vectors is multiplied with each other, as by a plain sum and in every bit as by the scalar twin', () => {
  const kernel = wasmPairKernel();
  if (kernel === null) throw new Error('there are no such instructions here');
  const scalar = scalarPairKernel();
  fc.assert(
    fc.property(
      components,
      fc.integer({ min: 0, max: 12 }),
      fc.array(number, { minLength: 1, maxLength: 97 }),
      (dimension, count, drawn) => {
        const component = (place: number, i: number) =>
          (drawn[(place * 31 + i) % drawn.length] ?? 0) / Math.sqrt(dimension);
        const asked = {
          count,
          dimension,
          write(place: number, into: Float32Array, at: number) {
            for (let i = 0; i < dimension; i += 1) into[at + i] = component(place, i);
          },
        };
        const found = runSteps(pairProducts(asked, kernel));
        expect(found).toEqual(runSteps(pairProducts(asked, scalar)));
        expect(runSteps(pairProducts(asked))).toEqual(found);
        for (let one = 0; one < count; one += 1)
          for (let other = 0; other < count; other += 1) {
            let sum = 0;
            if (one !== other)
              for (let i = 0; i < dimension; i += 1) sum += component(one, i) * component(other, i);
            // A sum of thousands of numbers of 24 bits is right to five places.
            expect(found[one * count + other]).toBeCloseTo(sum, 5);
          }
      },
    ),
    { numRuns: 60 },
  );
});
