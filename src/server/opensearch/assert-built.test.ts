import { expect, test } from 'vitest';
import { searchFor } from '#server/engine/testing/fixtures.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { assertBuilt } from './assert-built.ts';

/** What a search of these constants is answered; null: it is done. */
function refusal(ranking: Parameters<typeof toRanking>[0]) {
  try {
    assertBuilt(searchFor({ mode: 'hybrid', ranking: toRanking(ranking) }));
    return null;
  } catch (error) {
    return error;
  }
}

test.each([
  ['k1', 0.9],
  ['b', 0.1],
  ['title_weight', 3],
  ['neighbours_weight', 0.4],
] as const)('another "%s" is refused by its name, as no index of the cluster has it', (name, value) => {
  expect(refusal({ [name]: value })).toMatchObject({
    code: 'UNPROCESSABLE',
    details: [{ path: `ranking.${name}` }],
  });
});

test('what says the defaults is not, nor what the cluster can do', () => {
  expect(refusal({ neighbours_weight: 0, rrf_constant: 20 })).toBeNull();
});
