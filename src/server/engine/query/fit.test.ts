import { expect, it, test } from 'vitest';
import { readQuery } from '../lexical/read-query.ts';
import { english } from '../search-index.ts';
import { runSteps } from '../steps.ts';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';
import type { SearchQuery } from '../types.ts';
import { fits } from './fit.ts';

// As the sample sets answered.
it.each([
  ['houseplant that is hard to kill → Monstera in a Pot', 'hybrid', 0.45, 0, true],
  ['comedy about golf → Happy Gilmore', 'hybrid', 0.43, 0.81, true],
  ['picaso → Head of a Young Boy', 'hybrid', 0.22, 1, true],
  ['wake up gently → Owl Bedside Radio', 'hybrid', 0.46, 0.23, true],
  ['lawn mower → what is nearest', 'hybrid', 0.37, 0, false],
  ['best mortgage rates → what holds a word', 'hybrid', 0.21, 0.48, false],
  ['tax return deadline → The Return of …', 'hybrid', 0.07, 0.45, false],
  ['by meaning: something near', 'vector', 0.33, 0, true],
  ['by meaning: nothing', 'vector', 0.31, 0, false],
  ['by words: half of them', 'keyword', null, 0.5, true],
  ['by words: one of a sentence', 'keyword', null, 0.3, false],
] as const)('%s', (_, mode, similarity, coverage, expected) => {
  expect(fits({ similarity, coverage }, { mode, scale: 'own' })).toBe(expected);
});

test('what is as likely relevant as not fits, whatever its scale, and what has no scale is not judged', () => {
  const far = { similarity: 0.1, coverage: 0 };
  const own = { mode: 'hybrid', scale: 'own' } as const;
  const other = { mode: 'hybrid', scale: 'other' } as const;
  expect(fits({ ...far, relevance: 0.5 }, own)).toBe(true);
  expect(fits({ ...far, relevance: 0.9 }, other)).toBe(true);
  expect(fits({ ...far, relevance: 0.49 }, own)).toBe(false);
  expect(fits(far, other)).toBe(null);
});

test('where the query is not read words decide, and by meaning alone nothing is told', () => {
  const near = { similarity: 0.9, coverage: 0 };
  const byBoth = { mode: 'hybrid', scale: 'unread' } as const;
  expect(fits(near, byBoth)).toBe(false);
  expect(fits({ ...near, coverage: 0.125 }, byBoth)).toBe(null);
  expect(fits({ ...near, coverage: 0.5 }, byBoth)).toBe(true);
  expect(fits(near, { mode: 'vector', scale: 'unread' })).toBe(null);
  expect(fits({ ...near, relevance: 0.5 }, { mode: 'vector', scale: 'unread' })).toBe(true);
});

const index = indexOf([
  document('both', { title: 'red chest' }, [[1, 0]]),
  document('word', { title: 'red house' }, [[0, 1]]),
  document('none', { title: 'river' }, [[-1, 0]]),
]);
const fit = { scale: 'own' as const, knownWords: [] as string[] };

function told(query: Partial<SearchQuery>): [Record<string, boolean | undefined>, boolean] {
  const { hits, nothingFits } = index.search(searchFor({ fit, match: 'any', ...query }));
  return [Object.fromEntries(hits.map(({ id, fits: own }) => [id, own])), nothingFits];
}

test('hits say whether they fit, and an answer whose first hits do not says so', () => {
  const vector = Float32Array.of(0, 1);
  expect(told({ text: 'red chest' })).toEqual([{ both: true, word: false }, false]);
  expect(told({ text: 'red elephant unheard' })).toEqual([{ both: false, word: false }, true]);
  expect(told({ text: 'red elephant unheard', fit: null })).toEqual([
    { both: undefined, word: undefined },
    false,
  ]);
  // A word that may be meant as it was typed is not covered by another.
  expect(told({ text: 'chesst' })).toEqual([{ both: true }, false]);
  expect(told({ text: 'chesst', fit: { ...fit, knownWords: ['chesst'] } })).toEqual([{ both: false }, true]);
  expect(told({ mode: 'vector', vector })).toEqual([{ word: true, both: false, none: false }, false]);
  expect(told({ mode: 'hybrid', text: 'unheard', vector: Float32Array.of(-0.1, -1) })[0]).toMatchObject({
    word: false,
  });
  // What is pinned stands for itself.
  expect(told({ text: 'red elephant unheard', pins: [{ id: 'none', position: 1 }] })).toEqual([
    { none: true, both: false, word: false },
    false,
  ]);
  // Of an order by fields, and of further pages, the first hits are not the closest.
  for (const later of [{ sort: [{ field: 'title', descending: false }] }, { offset: 1 }])
    expect(told({ text: 'red elephant unheard', ...later })[1]).toBe(false);
  const others = indexOf([document('a', { title: 'a' }, [[1, 0]])], {
    dimension: 2,
    metric: 'dotproduct',
    fields: [],
  });
  const [hit] = others.search(searchFor({ fit, mode: 'vector', vector })).hits;
  expect(hit).not.toHaveProperty('fits');
});

test('hits that were ranked elsewhere are told the same by an index of the page alone', () => {
  for (const text of ['red chest', 'red elephant unheard', 'chesst']) {
    const query = searchFor({ text, match: 'any', fit: { ...fit, knownWords: ['chesst'] } });
    const own = index.search(query).hits;
    const progress = { part: null };
    const reader = readQuery(query, english);
    let step = reader.next();
    while (!step.done) step = reader.next(runSteps(index.tellWords(query, step.value, progress)));
    const agreement = { reading: step.value, neighbours: null, scale: null, support: null };
    const picked = { ...runSteps(index.rankShared(query, agreement, progress)), fits: null };
    const hits = runSteps(index.hitsOfPicked(query, { agreement, picked }, progress));
    expect(hits.map((hit) => [hit?.id, hit?.fits])).toEqual(own.map((hit) => [hit.id, hit.fits]));
    expect(own.length).toBeGreaterThan(0);
  }
});
