import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { fieldTexts } from '../../documents/text-fields.ts';
import { KeywordSearch } from '../../lexical/keyword-search.ts';
import { LexicalIndex } from '../../lexical/lexical-index.ts';
import { SearchScratch } from '../../memory/search-scratch.ts';
import { runSteps } from '../../steps.ts';
import { document, indexOf, searchFor, smallSettings, titles } from '../../testing/fixtures.ts';
import { plainHighlight } from '../../testing/plain-highlight.ts';
import { runs } from '../../testing/runs.ts';
import type { SearchQuery } from '../../types.ts';

type Fields = Record<string, unknown>;

/** What counts as a match, asked of the index for every word. */
function plainMatcher(documents: Fields[], query: SearchQuery): (word: string) => boolean {
  const index = new LexicalIndex();
  documents.forEach((each, ordinal) => {
    runSteps(index.add(ordinal, runSteps(fieldTexts(each))));
  });
  const size = documents.length;
  const live = new Bitset(size).fill(size);
  const living = { live, liveCount: size, capacity: size, sourceOf: () => '{}', sourceBytesOf: () => 2 };
  const scratch = new SearchScratch();
  const search = new KeywordSearch({ lexical: index, documents: living, scratch }, query);
  const { words } = runSteps(search.run());
  const terms = new Set(
    words.flatMap(({ exact, neighbours }) => [
      exact.own,
      ...exact.longer,
      ...neighbours.map(({ term }) => term),
    ]),
  );
  terms.delete(-1);
  return (word) => terms.has(index.dictionary.termForQuery(word));
}

const word = fc.constantFrom(
  ...'run running runs runner relate relational rational aye aying ayes sky skies Skied conflate conflating able ability'.split(
    ' ',
  ),
  ...'東京都 京都 Café cafe naïve 2049 a i the matrix Matrxi mattress'.split(' '),
);
const text = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  fc.array(word, { maxLength: 60 }).map((words) => words.join(', ')),
);
const fields = fc.record(
  {
    title: text,
    tags: fc.array(text, { maxLength: 3 }),
    deep: fc.record({ 'a.b': text, c: fc.array(fc.record({ d: text })) }),
    n: fc.nat(),
  },
  { requiredKeys: [] },
);
/** Whatever the documents have, each of the names is known. */
const allDeclared = {
  ...smallSettings,
  fields: [
    ...['deep.c.d', 'title', 'nothing', 'deep.a.b'].map((name) => ({ name, type: 'string' as const })),
    { name: 'n', type: 'number' as const },
  ],
};
const names = ['deep.c.d', 'title', 'nothing', 'deep.a.b', 'title', 'n'];

describe('highlights of a search', () => {
  it('are those that a plain reading of every field gives', () => {
    fc.assert(
      fc.property(
        fc.array(fields, { minLength: 1, maxLength: 8 }),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(null, names),
        fc.constantFrom(null, names),
        fc.constantFrom('auto' as const, 'any' as const),
        (sources, words, highlightFields, queryFields, match) => {
          const query = searchFor({
            text: words.join(' '),
            fields: queryFields?.map((name) => ({ name, weight: 1 })) ?? null,
            highlightFields,
            match,
            limit: 250,
          });
          const documents = sources.map((each, i) => document(String(i), each));
          const { hits } = indexOf(documents, allDeclared).search(query);
          const isMatch = plainMatcher(sources, query);
          for (const hit of hits) {
            const source = sources[Number(hit.id)] ?? {};
            expect(hit.highlights).toEqual(plainHighlight(source, highlightFields ?? queryFields, isMatch));
          }
        },
      ),
      { numRuns: runs(500) },
    );
  }, 180_000);

  it('show named fields in the order of their names, others in that of the document', () => {
    const source = { id: 'red', title: 'Red', tags: ['red'], author: { name: 'Red Bob' }, embedding: 'red' };
    const fieldsOf = (query: Partial<SearchQuery>) =>
      indexOf([document('red', source)])
        .search(searchFor({ text: 'red', ...query }))
        .hits[0]?.highlights.map(({ field }) => field);
    expect(fieldsOf({})).toEqual(['title', 'tags', 'author.name']);
    expect(fieldsOf({ highlightFields: ['author.name', 'price', 'title', 'title'] })).toEqual([
      'author.name',
      'title',
    ]);
    expect(fieldsOf({ highlightFields: [] })).toEqual([]);
  });

  it('reach as deep as the search does', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'needle' : { a: nested(depth - 1) });
    const { hits } = indexOf([document('x', { deep: nested(62) })]).search(searchFor({ text: 'needle' }));
    expect(hits[0]?.highlights[0]?.snippet).toBe('<mark>needle</mark>');
  });

  it('find the field among those beyond the limit of numbered ones', () => {
    const many = Object.fromEntries(
      Array.from({ length: 4_200 }, (_, i) => [`f${i}`, i === 4_150 ? 'needle' : 'hay']),
    );
    const { hits } = indexOf([document('x', many)]).search(searchFor({ text: 'needle' }));
    expect(hits[0]?.highlights).toEqual([
      { field: 'f4150', snippet: '<mark>needle</mark>', matchedTokens: ['needle'] },
    ]);
  });

  it('are there for a prefix of more words than are looked for one by one', () => {
    const index = titles(...Array.from({ length: 300 }, (_, i) => `needle${i.toString(36)} hay`));
    const { hits } = index.search(searchFor({ text: 'need', limit: 250 }));
    expect(hits).toHaveLength(250);
    for (const hit of hits) expect(hit.highlights[0]?.snippet).toMatch(/^<mark>needle\w+<\/mark> hay$/);
  });
});
