import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerTooLargeError } from '#server/engine/search-index.ts';
import { AppError } from '#server/errors.ts';
import { shareBytes } from './share-bytes.ts';

const limits = {
  countParameter: 'per_page',
  bytesOf: (answer: { bytes: number }) => answer.bytes,
  atOnce: 4,
  signal: undefined,
};

/** Answers of these sizes, made at this pace, and how many bytes of them were held at most. */
async function run(sizes: number[], bytesMax: number, turns: number[]) {
  let held = 0;
  let made = 0;
  const outcomes = await shareBytes(
    [...sizes.entries()],
    { ...limits, bytesMax },
    async ([i, bytes], most) => {
      for (let turn = 0; turn < (turns[i] ?? 0); turn += 1) await Promise.resolve();
      made += 1;
      if (bytes > most) throw new AnswerTooLargeError(bytes);
      held += bytes;
      return { bytes };
    },
  );
  return { held, made, fits: outcomes.map((outcome) => 'result' in outcome), outcomes };
}

it('never holds more than the budget, and gives the same answers at any pace', async () => {
  const sizes = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(4_000), fc.array(fc.nat(20)), async (given, bytesMax, turns) => {
      const { held, fits } = await run(given, bytesMax, turns);
      expect(held).toBeLessThanOrEqual(bytesMax);
      expect(fits).toEqual((await run(given, bytesMax, [])).fits);
      // What was refused did not fit any more when its turn came, so it does not fit beside all others.
      for (const [i, isIn] of fits.entries())
        if (!isIn) expect(held + (given[i] ?? 0)).toBeGreaterThan(bytesMax);
    }),
  );
});

it('gives what others have left to those that need more, in their order', async () => {
  expect((await run([10, 700, 10, 700, 200], 1_000, [])).fits).toEqual([true, true, true, false, true]);
});

it('makes an answer again only where it may fit, and says whose limit it was', async () => {
  const { made, outcomes } = await run([9_000, 9_000, 400, 1], 1_000, []);
  expect(made).toBe(5);
  const [refused] = outcomes;
  const error = refused && 'error' in refused ? refused.error : null;
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: 'UNPROCESSABLE',
    message: expect.stringContaining('more than 1000 bytes'),
    details: [{ path: 'per_page' }],
  });
});

it('leaves other failures in their place', async () => {
  const failing = shareBytes([1, 2], { ...limits, bytesMax: 100 }, async (item) => {
    if (item === 1) throw new Error('no');
    return { bytes: 1 };
  });
  expect(await failing).toEqual([{ error: new Error('no') }, { result: { bytes: 1 } }]);
});
