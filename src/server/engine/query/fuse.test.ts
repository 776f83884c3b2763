import { describe, expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { SearchScratch } from '../memory/search-scratch.ts';
import { noSteps, runSteps } from '../steps.ts';
import { document, idsFound, indexOf, searchFor } from '../testing/fixtures.ts';
import { type FusionSettings, fuse } from './fuse.ts';
import { scoreOf } from './rank.ts';
import { GivenScores } from './sides/given-scores.ts';
import { KeywordSide } from './sides/keyword-side.ts';
import type { SideOfVector } from './sides/side.ts';
import { spreadOf } from './sides/spread-of.ts';

const none = Number.NEGATIVE_INFINITY;
const setOf = (...ordinals: number[]) => {
  const set = new Bitset(8);
  for (const ordinal of ordinals) set.add(ordinal);
  return set;
};
const settings = (over: Partial<FusionSettings> = {}): FusionSettings => ({
  alpha: 0.5,
  vectorTrust: 1,
  k: 2,
  fusion: 'weighted',
  ranking: {
    rankConstant: 60,
    calibrationMin: 100,
    similarityDeviations: 0,
    wordsRange: 0,
    coveredWeight: 0,
  },
  isBefore: (a, b) => a < b,
  capacity: 4,
  scratch: new SearchScratch(),
  ...over,
});
/** Ordinals 0 and 1 match the words, 1 and 2 are nearest, 3 is neither but has a vector. */
const plainSides = {
  matched: setOf(0, 1),
  textScores: Float64Array.of(4, 2, 1, 0),
  neighbours: setOf(1, 2),
  similarities: Float64Array.of(none, 0.6, 0.9, 0.1),
  covered: new Map<number, number>(),
};
const sidesOf = ({
  matched,
  neighbours,
  textScores,
  similarities,
  covered = new Map(),
}: Omit<typeof plainSides, 'covered'> & Partial<Pick<typeof plainSides, 'covered'>>) => ({
  matched,
  neighbours,
  text: new KeywordSide(
    matched,
    new GivenScores(new Map(textScores.entries()), { covered, asked: 10 }),
    (a, b) => a < b,
  ),
  vector: plainSide(similarities),
});
/** Of a score for each document that the side knows. */
const plainSide = (scores: Float64Array): SideOfVector => ({
  *best(count) {
    const known = Int32Array.from(scores.keys()).filter((ordinal) => scores[ordinal] !== none);
    const ordinals = known.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).subarray(0, count);
    return { ordinals, scores: Float64Array.from(ordinals, (ordinal) => scores[ordinal] ?? none) };
  },
  scoresOf(ordinals, into) {
    for (const [place, ordinal] of ordinals.entries()) into[place] = scores[ordinal] ?? none;
    return noSteps;
  },
  // biome-ignore lint/correctness/useYield: there is nothing to wait for
  *spread() {
    return spreadOf(scores, 1);
  },
});
const fused = (over: Partial<FusionSettings> = {}, from: Parameters<typeof sidesOf>[0] = plainSides) => {
  const { candidates, scores } = runSteps(fuse(sidesOf(from), settings(over)));
  const result: Record<number, number> = {};
  candidates.forEach((ordinal) => {
    result[ordinal] = Number(scoreOf({ candidates, scores }, ordinal).toFixed(9));
  });
  return result;
};

describe('weighted fusion', () => {
  it('gives every candidate both scores, normalised over what does not depend on the page', () => {
    // Text: 4/4, 2/4, 1/4. Similarity over .1 to .9: none, .625, 1.
    expect(fused()).toEqual({ 0: 0.5, 1: 0.5625, 2: 0.625 });
    expect(fused({ alpha: 0.2 })).toEqual({ 0: 0.8, 1: 0.525, 2: 0.4 });
  });

  it('lets similarities that hardly stand out count little', () => {
    const ranking = { ...settings().ranking, similarityDeviations: 10 };
    // Ten documents, of which two stand out: the mean is .26, three deviations are .9.
    const many = {
      matched: setOf(0, 1),
      textScores: Float64Array.of(4, 2, 0, 0, 0, 0, 0, 0, 0, 0),
      neighbours: setOf(1, 2),
      similarities: Float64Array.of(0.1, 0.8, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2),
    };
    const { similarities } = many;
    const mean = similarities.reduce((sum, each) => sum + each, 0) / 10;
    const deviation = Math.sqrt(similarities.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 10);
    const share = (similarity: number) => (similarity - 0.1) / Math.max(0.8, 3 * deviation);
    const scores = fused({ ranking, capacity: 10 }, many);
    expect(3 * deviation).toBeGreaterThan(0.8);
    expect(scores[0]).toBe(0.5);
    expect(scores[1]).toBeCloseTo(0.25 + 0.5 * share(0.8), 6);
    expect(scores[2]).toBeCloseTo(0.5 * share(0.9), 6);
    expect(fused({ capacity: 10 }, many)[2]).toBe(0.5);
  });

  it('lets words count little that documents hardly have', () => {
    const ranking = { ...settings().ranking, wordsRange: 0.8 };
    // They weigh 10 together, of which 8 count 1, and not the 4 of the best match.
    expect(fused({ ranking })).toEqual({ 0: 0.25, 1: 0.4375, 2: 0.5625 });
    expect(fused({ ranking: { ...ranking, wordsRange: 0.2 } })).toEqual(fused());
    expect(fused({ ranking, alpha: 0 })).toEqual(fused({ alpha: 0 }));
  });

  it('gives a part of the words for what is covered of them', () => {
    const ranking = { ...settings().ranking, coveredWeight: 0.2 };
    const covered = new Map([
      [0, 5],
      [1, 10],
    ]);
    const from = { ...plainSides, covered };
    // Half of the words count 1/16, all of them 1.
    expect(fused({ ranking }, from)).toEqual({ 0: 0.40625, 1: 0.3125 + 0.5 * (0.4 + 0.2), 2: 0.6 });
    expect(fused({ ranking, alpha: 0 }, from)).toEqual(fused({ alpha: 0 }));
  });

  it('lets a vector count as far as it is trusted', () => {
    expect(fused({ vectorTrust: 0.2 })).toEqual({ 0: 0.5, 1: 0.3125, 2: 0.225 });
    expect(fused({ vectorTrust: 0.2, fusion: 'rrf' })[2]).toBeCloseTo(0.5 * (61 / 63) + 0.1, 9);
  });

  it('at 0 and 1 is one side only', () => {
    expect(fused({ alpha: 0 })).toEqual({ 0: 1, 1: 0.5 });
    expect(fused({ alpha: 1 })).toEqual({ 1: 0.625, 2: 1 });
  });

  it('gives 1 where a side says the same of all', () => {
    const alone = {
      matched: setOf(0),
      textScores: Float64Array.of(3),
      neighbours: setOf(0),
      similarities: Float64Array.of(-0.4),
    };
    expect(fused({}, alone)).toEqual({ 0: 1 });
    const equal = {
      ...alone,
      matched: setOf(0, 1),
      textScores: Float64Array.of(0, 0),
      similarities: Float64Array.of(0.3, 0.3),
      neighbours: setOf(0, 1),
    };
    expect(fused({}, equal)).toEqual({ 0: 1, 1: 1 });
  });
});

describe('reciprocal rank fusion', () => {
  it('adds reciprocal ranks so that the first of both would have 1', () => {
    const expected = { 0: 0.5 * 1, 1: 0.5 * (61 / 62) + 0.5 * (61 / 62), 2: 0.5 * (61 / 63) + 0.5 * 1 };
    const rounded = Object.fromEntries(
      Object.entries(expected).map(([key, value]) => [key, Number(value.toFixed(9))]),
    );
    expect(fused({ fusion: 'rrf' })).toEqual(rounded);
  });
});

describe('hybrid search', () => {
  const index = indexOf([
    document('word', { title: 'fox', n: 1 }, [[-1, 0]]),
    document('both', { title: 'fox cub', n: 2 }, [[1, 0.2]]),
    document('near', { title: 'wolf', n: 1 }, [[1, 0]]),
    document('neither', { title: 'tree', n: 2 }, [[0, 1]]),
  ]);
  const query = { mode: 'hybrid', text: 'fox', vector: Float32Array.of(1, 0), k: 2 } as const;

  it('counts keyword matches and neighbours together, in found, facets and hits', () => {
    const answer = index.search(searchFor({ ...query, facets: [{ field: 'n', ranges: [] }] }));
    expect(answer.found).toBe(3);
    expect(answer.hits.map((hit) => hit.id)).toEqual(['both', 'near', 'word']);
    const counts = answer.facets[0]?.counts.map(({ value, count }) => [value, count]);
    expect(counts).toEqual([
      ['1', 2],
      ['2', 1],
    ]);
    for (const hit of answer.hits) {
      expect(hit.score).toBeGreaterThanOrEqual(0);
      expect(hit.score).toBeLessThanOrEqual(1);
      expect(hit.vectorDistance).not.toBeNull();
    }
  });

  it('at alpha 0 and 1 finds what keyword and vector search find, in their order', () => {
    expect(idsFound(index, { ...query, alpha: 0 })).toEqual(idsFound(index, { text: 'fox' }));
    expect(idsFound(index, { ...query, alpha: 1 })).toEqual(idsFound(index, { ...query, mode: 'vector' }));
  });

  it('keeps keyword matches beyond the distance threshold, but no neighbour', () => {
    expect(idsFound(index, { ...query, text: 'tree', distanceThreshold: 0.01 })).toEqual(['neither', 'near']);
  });

  it('is a keyword search where there is no query vector', () => {
    expect(idsFound(index, { ...query, vector: null })).toEqual(idsFound(index, { text: 'fox' }));
  });
});
