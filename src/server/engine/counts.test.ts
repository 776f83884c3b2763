import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchIndex } from './search-index.ts';
import { type Given, given, indexOf, query, type Source } from './testing/candidate-searches.ts';
import { searchFor } from './testing/fixtures.ts';
import { runs } from './testing/runs.ts';
import type { EngineAnswer, EngineHit, SearchQuery } from './types.ts';

/** One truth for counts: `found`, the pages and the facets speak of the same candidates, in every mode. */

/** Page after page until one is empty; one page more than there can be would be an endless search. */
function allPages(index: SearchIndex, asked: SearchQuery): { hits: EngineHit[]; answers: EngineAnswer[] } {
  const answers: EngineAnswer[] = [];
  const hits: EngineHit[] = [];
  for (let offset = 0; answers.length < 100; offset += asked.limit) {
    const answer = index.search({ ...asked, offset });
    answers.push(answer);
    hits.push(...answer.hits);
    if (answer.hits.length === 0) break;
    if (answer.hits.length > asked.limit) throw new Error('a page is longer than asked for');
  }
  return { hits, answers };
}

function recount(
  hits: EngineHit[],
  labels: (source: Source) => unknown[],
): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { source } of hits) {
    const own = labels(JSON.parse(new TextDecoder().decode(source)) as Source).filter(
      (label) => label !== undefined,
    );
    for (const label of new Set(own.map(String))) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

const rangeOf = (price: number | undefined): string[] => {
  if (price === undefined) return [];
  return [price < 5 ? 'low' : 'high'];
};

test('the pages together are what was found, no hit twice, and the facets count them', () => {
  const someIds = fc.uniqueArray(fc.nat(30), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 30 }),
      someIds,
      someIds,
      fc.array(query, { minLength: 1, maxLength: 4 }),
      (documents, again, gone, queries) => {
        const index = indexOf(documents, again, gone);
        const withRed = documents.flatMap(({ source }, id) =>
          source.title?.split(' ').includes('red') && !gone.includes(id) ? [String(id)] : [],
        );
        expect(new Set(index.ids('title:red'))).toEqual(new Set(withRed));
        for (const asked of queries) {
          const { hits, answers } = allPages(index, asked);
          const ids = hits.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => asked.excludeIds.includes(id) || gone.includes(Number(id)))).toEqual([]);
          for (const answer of answers) {
            expect(answer.found).toBe(hits.length);
            expect(answer.facets).toEqual(answers[0]?.facets);
          }
          expect(answers[0]?.facets.map(({ counts }) => counts)).toEqual([
            recount(hits, ({ tags }) => tags ?? []),
            recount(hits, ({ price }) => [price]),
            recount(hits, ({ on }) => [on]),
            recount(hits, ({ price }) => rangeOf(price)),
          ]);
          expect(
            hits.filter(({ isPinned, id }) => isPinned !== asked.pins.some((pin) => pin.id === id)),
          ).toEqual([]);
          const inRule = new Set(index.ids(asked.ruleFilter));
          const inFilter = new Set(index.ids(asked.filter).filter((id) => inRule.has(id)));
          expect(ids.filter((id) => !inFilter.has(id))).toEqual([]);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

test('without words and without a limit on neighbours every document of the filter is found, in every mode that has them', () => {
  const documents: Given[] = Array.from({ length: 25 }, (_, i) => ({
    source: { title: 'red wine', price: i % 10 },
    vectors: [[1, i, 0, 1]],
  }));
  const index = indexOf(documents, [1, 2], [5]);
  for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
    const vector = Float32Array.of(1, 0, 0, 0);
    const answer = index.search(searchFor({ mode, text: '*', vector, filter: 'price:<5', k: 100 }));
    expect(answer.found).toBe(index.ids('price:<5').length);
    expect(answer.outOf).toBe(24);
  }
});
