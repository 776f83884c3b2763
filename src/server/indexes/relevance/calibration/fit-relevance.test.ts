import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { relevanceOf } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import type { RelevanceModel } from '#server/engine/types.ts';
import { fitRelevance } from './fit-relevance.ts';
import { heldOutError } from './held-out-error.ts';
import type { JudgedPair } from './judged-pair.ts';

const figure = fc.double({ min: 0, max: 1, noNaN: true });
const pair = fc.record({
  query: fc.nat(9),
  score: figure,
  words: figure,
  nearest: fc.double({ min: 0, max: 12, noNaN: true }),
  isRelevant: fc.boolean(),
});
const pairs = fc.array(pair, { minLength: 12, maxLength: 80 });
const fitted = (of: readonly JudgedPair[]): RelevanceModel => runSteps(fitRelevance(of));

/** As the loss is defined, pair by pair. */
function plainLoss(of: readonly JudgedPair[], model: RelevanceModel): number {
  const relevant = of.filter(({ isRelevant }) => isRelevant).length;
  const [high, low] = [(relevant + 1) / (relevant + 2), 1 / (of.length - relevant + 2)];
  let loss = 0;
  for (const name of ['score', 'words', 'nearest'] as const) {
    const mean = of.reduce((sum, each) => sum + each[name], 0) / of.length;
    const variance = of.reduce((sum, each) => sum + (each[name] - mean) ** 2, 0) / of.length;
    loss += 0.5 * model[name] ** 2 * variance;
  }
  for (const each of of) {
    const told = relevanceOf(model, each);
    const target = each.isRelevant ? high : low;
    loss -= target * Math.log(told) + (1 - target) * Math.log(1 - told);
  }
  return loss;
}

describe('a fit', () => {
  test('is told by no other weights better, and never falls where the score rises', () => {
    const turn = fc.double({ min: -0.5, max: 0.5, noNaN: true });
    const turns = fc.record({ base: turn, score: turn, words: turn, nearest: turn });
    fc.assert(
      fc.property(pairs, fc.array(turns, { minLength: 8, maxLength: 8 }), (of, others) => {
        const model = fitted(of);
        expect(model.score).toBeGreaterThanOrEqual(0);
        const least = plainLoss(of, model);
        for (const other of others)
          for (const share of [1, 0.1, 0.01]) {
            const turned = {
              base: model.base + share * other.base,
              // Below 0 is not allowed.
              score: Math.max(0, model.score + share * other.score),
              words: model.words + share * other.words,
              nearest: model.nearest + share * other.nearest,
            };
            expect(plainLoss(of, turned)).toBeGreaterThan(least - 1e-7 * (1 + least));
          }
      }),
      { numRuns: 60 },
    );
  });

  test('tells what is within 0 and 1, and leaves hits of a search in their order', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.array(figure, { minLength: 2, maxLength: 12 }),
        pair,
        (of, scores, { words, nearest }) => {
          const model = fitted(of);
          const told = scores
            .toSorted((a, b) => b - a)
            .map((score) => relevanceOf(model, { score, words, nearest }));
          for (const each of told) {
            expect(each).toBeGreaterThanOrEqual(0);
            expect(each).toBeLessThanOrEqual(1);
          }
          expect(told).toEqual(told.toSorted((a, b) => b - a));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('has an end where one score parts all that is relevant from all that is not', () => {
    const parted = Array.from({ length: 40 }, (_, i) => ({
      query: i,
      score: i / 40,
      words: 0.5,
      nearest: 0,
      isRelevant: i >= 20,
    }));
    const model = fitted(parted);
    expect(Number.isFinite(model.score) && Number.isFinite(model.base)).toBe(true);
    expect(relevanceOf(model, { score: 1, words: 0.5, nearest: 0 })).toBeGreaterThan(0.9);
    expect(relevanceOf(model, { score: 0, words: 0.5, nearest: 0 })).toBeLessThan(0.1);
    // In what all pairs are alike in, nothing is said.
    expect([model.words, model.nearest]).toEqual([0, 0]);
  });

  test('of scores that say the opposite tells the share of all', () => {
    const opposite = Array.from({ length: 60 }, (_, i) => ({
      query: i,
      score: i / 60,
      words: 0,
      nearest: 0,
      isRelevant: i < 15,
    }));
    const model = fitted(opposite);
    expect(model.score).toBe(0);
    expect(relevanceOf(model, { score: 0.3, words: 0, nearest: 0 })).toBeCloseTo(0.26, 1);
  });
});

/** Numbers that look drawn (a linear congruential generator). */
function* drawn(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** So many queries with twenty hits each, of which those are relevant that a model says. */
function drawnPairs(model: RelevanceModel, queries: number): JudgedPair[] {
  const random = drawn(7);
  return Array.from({ length: queries }, (_, query) => {
    const [words, nearest] = [random.next().value, 10 * random.next().value];
    return Array.from({ length: 20 }, () => {
      const figures = { score: random.next().value, words, nearest };
      return { query, ...figures, isRelevant: random.next().value < relevanceOf(model, figures) };
    });
  }).flat();
}

describe('relevance that is drawn by a model', () => {
  const model = { base: -5, score: 4, words: 2, nearest: 0.3 };
  const many = drawnPairs(model, 300);

  test('is found again', () => {
    const found = fitted(many);
    for (const name of ['base', 'score', 'words', 'nearest'] as const)
      expect(Math.abs(found[name] - model[name]) / Math.abs(model[name]), name).toBeLessThan(0.2);
  });

  test('is told of queries that were not seen, with an error that says so', () => {
    const { calibrationError, brier } = runSteps(heldOutError(many));
    expect(calibrationError).toBeLessThan(0.05);
    const share = many.filter(({ isRelevant }) => isRelevant).length / many.length;
    expect(brier).toBeLessThan(0.9 * share * (1 - share));
    // Where relevance is drawn whatever the figures are, no better than the share of all.
    const random = drawn(3);
    const blind = many.map((each) => ({ ...each, isRelevant: random.next().value < 0.3 }));
    const ofBlind = runSteps(heldOutError(blind));
    expect(ofBlind.calibrationError).toBeLessThan(0.05);
    expect(ofBlind.brier).toBeGreaterThan(0.2);
  });

  test('is fitted in some passes over the pairs, with pauses within each', () => {
    const pauses = (of: readonly JudgedPair[]): number => {
      const steps = fitRelevance(of);
      let count = 0;
      while (!steps.next().done) count += 1;
      return count;
    };
    // Of 6,000 pairs each pass has one.
    expect(pauses(many)).toBeLessThan(60);
    expect(pauses([...many, ...many])).toBeGreaterThan(pauses(many));
  });
});
