import fc from 'fast-check';
import { expect, it } from 'vitest';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';

const text = fc
  .array(
    fc.constantFrom('note', 'book', 'notebook', 'netbook', 'matrix', 'matris', 'patrix', 'new', 'york'),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(' '));
const change = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), title: fc.option(text) });
const queries = ['notebook', 'matrx', 'nwe york', '"new york"', 'note book', 'matriss book'];

it('a search finds what an index finds that nobody has searched before, whatever came and went between', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const index = indexOf([]);
      const living = new Map<string, string>();
      for (const [i, { id, title }] of changes.entries()) {
        if (title === null) living.delete(id);
        else living.set(id, title);
        const puts = title === null ? [] : [document(id, { title })];
        index.apply({ version: i + 2, puts, deletes: title === null ? [id] : [] });
        const fresh = indexOf(Array.from(living, ([each, own]) => document(each, { title: own })));
        for (const asked of queries) {
          const query = searchFor({ text: asked });
          const { hits, ...others } = fresh.search(query);
          // The second time what the first has found is known.
          for (const answer of [index.search(query), index.search(query)]) {
            expect(answer).toMatchObject(others);
            expect(answer.hits.map(({ id: found, textMatch }) => [found, textMatch])).toEqual(
              hits.map(({ id: found, textMatch }) => [found, textMatch]),
            );
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

it('words that resemble another are those of the documents there are', () => {
  const index = indexOf([document('a', { title: 'matrix' })]);
  const corrected = () => index.search(searchFor({ text: 'matrx ' })).correctedTokens;
  expect(corrected()).toEqual([{ from: 'matrx', to: 'matrix' }]);
  index.apply({ version: 2, puts: [document('a', { title: 'matra' })], deletes: [] });
  expect(corrected()).toEqual([{ from: 'matrx', to: 'matra' }]);
});
