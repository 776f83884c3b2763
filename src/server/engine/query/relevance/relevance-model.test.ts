import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { given, indexOf, query as randomQuery } from '../../testing/candidate-searches.ts';
import { document, searchFor, indexOf as smallIndexOf } from '../../testing/fixtures.ts';
import { runs } from '../../testing/runs.ts';
import type { EngineHit, SearchQuery } from '../../types.ts';
import { type RelevanceModel, relevanceOf } from './relevance-model.ts';

const finite = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const model = fc.record({ base: finite, score: finite.map(Math.abs), words: finite, nearest: finite });
const facts = fc.record({ words: finite, nearest: finite });

test('relevance is a logistic function of the figures: within 0 and 1, and it never falls where the score rises', () => {
  fc.assert(
    fc.property(model, facts, finite, finite, (by, of, one, other) => {
      const [lower, higher] = [Math.min(one, other), Math.max(one, other)];
      const at = (score: number) => relevanceOf(by, { ...of, score });
      expect(at(lower)).toBeGreaterThanOrEqual(0);
      expect(at(higher)).toBeLessThanOrEqual(1);
      expect(at(lower)).toBeLessThanOrEqual(at(higher));
    }),
  );
  // ln 3: three to one.
  const plain = { base: 0, score: Math.log(3), words: 0, nearest: 0 };
  expect(relevanceOf(plain, { score: 1, words: 5, nearest: 5 })).toBeCloseTo(0.75, 12);
  expect(relevanceOf(plain, { score: 0, words: 5, nearest: 5 })).toBe(0.5);
});

const everything = { offset: 0, limit: 1_000, sort: [], group: null };
const asked: RelevanceModel = { base: -1, score: 2.5, words: 1, nearest: 0.2 };
const plainOf = ({ id, score, textMatch, vectorDistance }: EngineHit) => ({
  id,
  score,
  textMatch,
  vectorDistance,
});

/** Each beside a plain twin: the same search whose hits are filtered by what they say of themselves. */
test('telling relevance changes nothing else, and asking for it leaves the others as they are', () => {
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 30 }),
      randomQuery,
      fc.constantFrom(0, 0.2, 0.4, 0.6, 0.9),
      (documents, random, min) => {
        const index = indexOf(documents, [], []);
        const query: SearchQuery = { ...random, ...everything, relevance: null };
        const plain = index.search(query);
        const told = index.search({ ...query, relevance: { model: asked, min: null } });
        expect(told.hits.map(plainOf)).toEqual(plain.hits.map(plainOf));
        expect([told.found, told.facets]).toEqual([plain.found, plain.facets]);
        const unpinned = told.hits.filter(({ isPinned }) => !isPinned);
        const relevances = unpinned.map(({ relevance }) => relevance ?? -1);
        expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
        const cut = index.search({ ...query, relevance: { model: asked, min } });
        const kept = told.hits.filter(
          ({ isPinned, relevance }) => isPinned || relevance === undefined || relevance >= min,
        );
        const idsOf = (hits: readonly EngineHit[]) => hits.map(({ id }) => id).sort();
        expect(idsOf(cut.hits)).toEqual(idsOf(kept));
        for (const hit of cut.hits)
          if (!hit.isPinned)
            expect(plainOf(hit)).toEqual(plainOf(told.hits.find(({ id }) => id === hit.id) ?? hit));
        expect(cut.found).toBe(kept.length);
      },
    ),
    { numRuns: runs(300) },
  );
});

const index = smallIndexOf([
  document('both', { title: 'red wine' }, [[1, 0]]),
  document('word', { title: 'red house' }, [[0, 1]]),
  document('near', { title: 'river' }, [[1, 0.1]]),
  document('far', { title: 'stone' }, [[-1, 0]]),
]);

test('the figures of judged documents are those that their relevance is told from', () => {
  for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
    const query = searchFor({ mode, text: 'red wine', vector: Float32Array.of(1, 0), k: 3, match: 'any' });
    const { hits } = index.search({ ...query, relevance: { model: asked, min: null } });
    const progress = { part: null };
    const figures = runSteps(
      index.judgedFigures({ query, judged: ['near', 'far', 'nobody', 'word', 'word'], first: 1 }, progress),
    );
    const byId = new Map(hits.map(({ id, relevance }) => [id, relevance]));
    expect(figures.length).toBeGreaterThan(1);
    for (const { id, isFirst, ...own } of figures) {
      expect(relevanceOf(asked, own), `${mode} ${id}`).toBe(byId.get(id));
      expect(isFirst).toBe(id === hits[0]?.id);
    }
    // No document twice, and none that is no hit.
    const wanted = new Set(['near', 'far', 'word', hits[0]?.id ?? '']);
    expect(figures.map(({ id }) => id).sort()).toEqual([...wanted].filter((id) => byId.has(id)).sort());
  }
});

test('words say how much of them the best document has, and the vector how far the nearest stands out', () => {
  const of = (query: Partial<SearchQuery>) =>
    runSteps(index.judgedFigures({ query: searchFor(query), judged: [], first: 1 }, { part: null }))[0];
  const [whole, half] = [of({ text: 'red wine' }), of({ text: 'red unheard', match: 'any' })];
  expect(whole?.words).toBeGreaterThan(2 * (half?.words ?? 1));
  // The best of each side counts as in a hybrid search.
  expect([whole?.score, half?.score]).toEqual([1, 1]);
  expect(whole?.nearest).toBe(0);
  const near = of({ mode: 'vector', vector: Float32Array.of(1, 0) });
  expect(near?.words).toBe(0);
  // Similarities 1, 0, .995 and −1 by hand: their mean is .249, their deviation .835.
  expect(near?.nearest).toBeCloseTo(0.9, 1);
  expect(of({ text: '*' })).toBeUndefined();
});
