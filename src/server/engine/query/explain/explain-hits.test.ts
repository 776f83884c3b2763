import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerTooLargeError } from '../../search-index.ts';
import { document, indexOf, searchFor } from '../../testing/fixtures.ts';
import { randomDocument, randomIndex, randomSearch } from '../../testing/random-searches.ts';
import { runs } from '../../testing/runs.ts';
import type { EngineHit, SearchQuery } from '../../types.ts';

const exactly = 1e-9;

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function expectToAddUp(
  { score, textMatch, vectorDistance, explanation }: EngineHit,
  query: SearchQuery,
): void {
  if (explanation === undefined) throw new Error('a hit is not explained');
  const { keywordScore, vectorScore, words, similarity, fusion } = explanation;
  const near = (found: number, wanted: number) => expect(Math.abs(found - wanted)).toBeLessThan(exactly);
  near((keywordScore ?? 0) + (vectorScore ?? 0), score);
  expect(words === null).toBe(textMatch === null);
  near(words?.score ?? 0, textMatch ?? 0);
  for (const word of words?.words ?? []) {
    near(word.weight * word.saturation, word.score);
    near(sum(word.matches.map((match) => match.score)), word.score);
    const frequencies = word.matches.map(
      ({ share, fieldWeight, frequency }) => share * fieldWeight * frequency,
    );
    expect(Math.min(...frequencies)).toBeGreaterThan(0);
    expect(query.text).toContain(word.word);
  }
  expect(words?.coverage ?? 0).toBeGreaterThanOrEqual(0);
  expect(words?.coverage ?? 0).toBeLessThanOrEqual(1);
  if (words?.missing.length === 0) expect(words.coverage).toBeGreaterThan(0);
  near(sum(words?.words.map((word) => word.score) ?? []) + (words?.wholeTitle ?? 0), words?.score ?? 0);
  expect(similarity?.distance ?? null).toBe(vectorDistance);
  expect(fusion === null).toBe(query.mode !== 'hybrid' || (keywordScore === null && vectorScore === null));
  if (fusion === null) return;
  const { weight, value } = fusion.neighbours ?? { weight: 0, value: 0 };
  near((1 - weight) * (1 - fusion.alpha) * fusion.keyword.value, keywordScore ?? 0);
  near((1 - weight) * fusion.alpha * fusion.vector.value + weight * value, vectorScore ?? 0);
}

describe('the explanation of a hit', () => {
  test('adds up to its score, in every mode, and changes no answer', () => {
    let explained = 0;
    fc.assert(
      fc.property(
        fc.array(randomDocument, { maxLength: 20 }),
        fc.uniqueArray(fc.nat(20), { maxLength: 4 }),
        fc.array(randomSearch, { minLength: 1, maxLength: 6 }),
        (documents, gone, queries) => {
          const index = randomIndex(documents, gone);
          for (const query of queries) {
            const plain = index.search({ ...query, limit: 30 });
            const answer = index.search({ ...query, limit: 30, isExplained: true });
            for (const hit of answer.hits) expectToAddUp(hit, query);
            explained += answer.hits.length;
            const hits = answer.hits.map(({ explanation: _, ...hit }) => hit);
            expect({ ...answer, hits }).toEqual(plain);
          }
        },
      ),
      { numRuns: runs(200) },
    );
    expect(explained).toBeGreaterThan(100);
  });

  test('does not depend on what else is on the page', () => {
    fc.assert(
      fc.property(
        fc.array(randomDocument, { minLength: 5, maxLength: 20 }),
        randomSearch,
        (documents, query) => {
          const index = randomIndex(documents, []);
          const asked = { ...query, isExplained: true };
          const all = index.search({ ...asked, limit: 30 }).hits;
          for (const [offset, { explanation }] of all.entries())
            expect(index.search({ ...asked, offset, limit: 1 }).hits[0]?.explanation).toEqual(explanation);
        },
      ),
      { numRuns: 40 },
    );
  });

  const films = indexOf([
    document('1', { title: 'Wooden horses', text: 'horse and hores' }),
    document('2', { title: 'A mechanical man', text: 'man' }),
    document('3', { title: 'The house' }),
  ]);
  const wordsOf = (query: Partial<SearchQuery>, id: string) => {
    const { hits } = films.search(searchFor({ ...query, isExplained: true }));
    return hits.find((hit) => hit.id === id)?.explanation?.words ?? null;
  };

  test('names the fields, and what stands there for the word', () => {
    const fields = [
      { name: 'title', weight: 2 },
      { name: 'text', weight: 1 },
    ];
    const words = wordsOf({ text: 'horses piano', match: 'any', prefix: false, fields }, '1');
    expect(words?.missing).toEqual(['piano']);
    // Of two words that weigh ln(1 + 2.5 / 1.5) and ln(1 + 3.5 / 0.5).
    expect(words?.coverage).toBeCloseTo(Math.log(8 / 3) / (Math.log(8 / 3) + Math.log(8)), 9);
    expect(words?.words).toMatchObject([
      {
        word: 'horses',
        documents: 1,
        matches: [
          { field: 'title', kind: 'word', forms: ['horses'], frequency: 1, fieldWeight: 2, share: 1 },
          { field: 'text', kind: 'word', forms: ['horses'], frequency: 1, fieldWeight: 1, share: 1 },
          { field: 'text', kind: 'typo', typos: 1, forms: ['hores'], share: expect.closeTo(0.1, 3) },
        ],
      },
    ]);
  });

  test('tells corrections, beginnings and synonyms apart', () => {
    expect(wordsOf({ text: 'hoise' }, '3')?.coverage).toBe(1);
    expect(wordsOf({ text: 'hoise' }, '3')?.words[0]?.matches).toMatchObject([
      { field: 'title', kind: 'typo', typos: 1, forms: ['house'], share: expect.closeTo(0.1, 3) },
    ]);
    expect(wordsOf({ text: 'mechan' }, '2')?.words[0]?.matches[0]).toMatchObject({
      field: 'title',
      kind: 'word',
    });
    expect(wordsOf({ text: 'hou' }, '3')?.words[0]?.matches[0]).toMatchObject({
      kind: 'prefix',
      share: expect.closeTo(0.2, 3),
    });
    const synonyms = [{ words: ['robot'], alternatives: [['mechanical', 'man'], ['house']] }];
    expect(wordsOf({ text: 'robot', synonyms }, '2')?.words[0]?.matches).toMatchObject([
      { field: 'title', kind: 'synonym', forms: ['mechan man'], frequency: 1 },
    ]);
    expect(wordsOf({ text: 'robot', synonyms }, '3')?.words[0]?.matches).toMatchObject([
      { field: 'title', kind: 'synonym', forms: ['hous'] },
    ]);
  });

  test('of a pin that the search would not have found says that it is pinned', () => {
    const { hits } = films.search(
      searchFor({ text: 'house', pins: [{ id: '2', position: 1 }], isExplained: true }),
    );
    expect(hits[0]?.explanation).toEqual({
      keywordScore: null,
      vectorScore: null,
      words: null,
      similarity: null,
      fusion: null,
      pinnedAt: 1,
    });
  });

  test('is given up, as highlights are, once it is more than an answer may have', () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${String.fromCharCode(97 + (i % 26))}${i}`).join(
      ' ',
    );
    const index = indexOf(
      Array.from({ length: 50 }, (_, i) => document(`${i}`, { title: words, text: words, more: words })),
    );
    const asked = searchFor({ text: words, match: 'any', limit: 50 });
    const most = (given: Partial<SearchQuery>) => () => index.search({ ...asked, ...given });
    // 50 hits hold 40 words in three fields.
    const explained = { isExplained: true, highlightFields: [] };
    expect(most({ ...explained, answerBytesMax: 50 * 40 * 3 * 70 })).toThrow(AnswerTooLargeError);
    expect(most({ ...explained, answerBytesMax: 50 * 40 * 3 * 100 })).not.toThrow();
    expect(most({ answerBytesMax: 10_000 })).toThrow(AnswerTooLargeError);
    expect(most({ answerBytesMax: 200_000 })).not.toThrow();
  });
});
