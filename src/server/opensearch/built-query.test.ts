import { expect, test } from 'vitest';
import { searchFor } from '#server/engine/testing/fixtures.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import type { RankingValues } from '#shared/ranking.ts';
import { builtQuery } from './built-query.ts';
import { constantsOf } from './fixed-constants.ts';

const own = constantsOf({ k1: 0.9, title_weight: 2.6 });
const wanted = constantsOf({ k1: 0.5 });

/** The constants that a search with these is done by; or what it is answered. */
function done(ranking: RankingValues, text = 'lamp') {
  try {
    const { k1, b, titleWeight } = builtQuery(
      searchFor({ mode: 'hybrid', text, ranking: toRanking(ranking) }),
      { own, wanted },
    ).ranking;
    return { k1, b, titleWeight };
  } catch (error) {
    return error;
  }
}

test.each([
  ['k1', 0.7],
  ['b', 0.1],
  ['title_weight', 4],
] as const)('another "%s" than the collection has is refused by its name', (name, value) => {
  expect(done({ [name]: value })).toMatchObject({
    code: 'UNPROCESSABLE',
    details: [{ path: `ranking.${name}` }],
  });
  // No word is weighed by it.
  expect(done({ [name]: value }, '*')).toEqual(own);
});

test('what the settings say, said before, or leave as it is usually is done by the constants that the index has', () => {
  expect(own).toEqual({ k1: 0.9, b: 0.6, titleWeight: 3 });
  for (const given of [{}, { k1: 0.9, title_weight: 3.2 }, { k1: 0.5 }, { k1: 1.3, rrf_constant: 20 }])
    expect(done(given)).toEqual(own);
});
