import fc from 'fast-check';
import { expect, test } from 'vitest';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';

const component = fc.integer({ min: -9, max: 9 });
const some = fc.array(
  fc.record({
    words: fc.subarray(['fox', 'cub', 'den']),
    vector: fc.tuple(component, component).filter(([a, b]) => a !== 0 || b !== 0),
  }),
  { minLength: 2, maxLength: 70 },
);
/** No document holds all of it. */
const text = 'fox cub den badger';
const neighboursWeight = 0.4;

test('the best of a hybrid search have a part of the scores of what is nearest to them, as it is by its definition', () => {
  fc.assert(
    fc.property(some, (given) => {
      const index = indexOf(
        given.map(({ words, vector }, i) =>
          document(String(i).padStart(2, '0'), { text: words.join(' ') }, [vector]),
        ),
      );
      const asked = searchFor({
        mode: 'hybrid',
        text,
        match: 'any',
        vector: Float32Array.of(1, 0.5),
        limit: 100,
      });
      const plain = index.search({ ...asked, ranking: { ...asked.ranking, neighboursWeight: 0 } }).hits;
      const ranking = { ...asked.ranking, neighboursWeight };
      const { hits } = index.search({ ...asked, ranking, isExplained: true });
      const unit = (id: string) => {
        const [a = 0, b = 0] = given[Number(id)]?.vector ?? [];
        return [a / Math.hypot(a, b), b / Math.hypot(a, b)] as const;
      };
      const best = plain.slice(0, 50);
      const mean = best.reduce((sum, { score }) => sum + score, 0) / best.length;
      for (const hit of plain) {
        const [x, y] = unit(hit.id);
        const near = best
          .filter(({ id }) => id !== hit.id)
          .map(({ id, score }) => ({ score, similarity: x * unit(id)[0] + y * unit(id)[1] }))
          .filter(({ similarity }) => similarity > 1e-6)
          .sort((a, b) => b.similarity - a.similarity || b.score - a.score);
        // Of equally near ones any may be the tenth.
        if (Math.abs((near[9]?.similarity ?? 9) - (near[10]?.similarity ?? -9)) < 1e-5) continue;
        const ten = near.slice(0, 10);
        const weights = ten.reduce((sum, { similarity }) => sum + similarity ** 2, 0);
        const sum = ten.reduce((total, { similarity, score }) => total + similarity ** 2 * score, 0);
        const support = !best.includes(hit) ? 0 : weights > 0 ? sum / weights : mean;
        const found = hits.find(({ id }) => id === hit.id);
        expect(found?.score).toBeCloseTo((1 - neighboursWeight) * hit.score + neighboursWeight * support, 6);
        const { keywordScore, vectorScore, fusion } = found?.explanation ?? {};
        if (hit.score > 0) expect(fusion?.neighbours?.value).toBeCloseTo(support, 6);
        expect((keywordScore ?? 0) + (vectorScore ?? 0)).toBeCloseTo(found?.score ?? -1, 6);
      }
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['documents hold all words', { text: 'fox cub' }],
  ['ranks are summed', { fusion: 'rrf' as const }],
  ['words alone count', { alpha: 0 }],
  ['meaning alone counts', { alpha: 1 }],
])('where %s they have their own score', (_, given) => {
  const index = indexOf([
    document('a', { text: 'fox cub' }, [[1, 0]]),
    document('b', { text: 'fox' }, [[1, 0.2]]),
    document('c', { text: 'den' }, [[0.9, 0.3]]),
  ]);
  const asked = searchFor({ mode: 'hybrid', text, vector: Float32Array.of(1, 0), limit: 10, ...given });
  const scores = (weight: number) =>
    index
      .search({ ...asked, ranking: { ...asked.ranking, neighboursWeight: weight } })
      .hits.map(({ id, score }) => [id, score]);
  expect(scores(neighboursWeight)).toEqual(scores(0));
});
