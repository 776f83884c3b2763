// @vitest-environment node
import { expect, it } from 'vitest';
import { fittingCount } from './hit-fit.ts';

const [good, bad, unknown] = [{ fits: true }, { fits: false }, {}];

it('parts a list behind the last hit that fits, and not where that is not told of each', () => {
  expect(fittingCount([good, bad, good, bad])).toBe(3);
  expect(fittingCount([bad, bad])).toBe(0);
  expect(fittingCount([good, good])).toBe(null);
  expect(fittingCount([good, unknown, bad])).toBe(null);
  expect(fittingCount([])).toBe(null);
});
