import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DocumentTable } from '../documents/document-table.ts';
import { document, idsFound, indexOf, searchFor, titles } from '../testing/fixtures.ts';

describe('phrases and exclusions', () => {
  const index = titles('red wine house', 'wine red', 'the red wines', 'house', 'The Who');

  it.each<[string, string[]]>([
    ['"red wine"', ['0', '2']],
    ['"wine red"', ['1']],
    ['"the red"', ['2']],
    ['"the who"', ['4']],
    ['"red win"', []],
    ['"red wnie"', []],
    ['wine -house', ['1', '2']],
    ['-wine', ['3', '4']],
    ['* -wine', ['3', '4']],
    ['-"red wine" wine', ['1']],
    ['house -', ['0', '3']],
    ['"red wine" -house', ['2']],
  ])('of %s leave what they say', (text, ids) => {
    expect(idsFound(index, { text }).toSorted()).toEqual(ids);
  });

  it('stay within one element of a list and in the searched fields', () => {
    const lists = indexOf([
      document('a', { tags: ['red', 'wine'], text: 'red wine' }),
      document('b', { tags: ['old red wine'] }),
    ]);
    const fields = [{ name: 'tags', weight: 1 }];
    expect(idsFound(lists, { text: '"red wine"', fields })).toEqual(['b']);
    expect(idsFound(lists, { text: '-"red wine"', fields })).toEqual(['a']);
  });

  it('follow characters that are read in pairs to the end of a run', () => {
    const japanese = titles('東京都 タワー', '東京都庁 タワー');
    expect(idsFound(japanese, { text: '"東京都 タワー"' })).toEqual(['0']);
    expect(idsFound(japanese, { text: '"東京都"' }).toSorted()).toEqual(['0', '1']);
  });

  it('hold by meaning and by both, also for pins, facets and counts', () => {
    const vectors = indexOf([
      document('a', { title: 'red wine' }, [[1, 0]]),
      document('b', { title: 'red war' }, [[1, 0.1]]),
      document('c', { title: 'blue' }, [[0, 1]]),
    ]);
    for (const mode of ['vector', 'hybrid'] as const) {
      const asked = {
        mode,
        text: 'red -war',
        vector: Float32Array.of(1, 0),
        pins: [{ id: 'b', position: 1 }],
      };
      const facets = [{ field: 'title', ranges: [] }];
      const answer = vectors.search(
        searchFor({ ...asked, facets, areFacetsDisjunctive: true, filter: 'title:*' }),
      );
      expect(answer.hits.map(({ id }) => id)).toEqual(['a', 'c']);
      expect(answer.found).toBe(2);
      expect(answer.facets[0]?.counts.map(({ value }) => value)).toEqual(['blue', 'red wine']);
    }
  });

  it('are marked where the words stand in a row, stop words too', () => {
    const one = titles('who the red the who red');
    const [hit] = one.search(searchFor({ text: '"the who"' })).hits;
    expect(hit?.highlights[0]?.snippet).toBe('who the red <mark>the</mark> <mark>who</mark> red');
  });
});

describe('many demands', () => {
  it('are those that each leaves for itself, again too', () => {
    const word = fc.constantFrom('red', 'wine', 'wines', 'house', 'the', 'zebra');
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    const demand = fc.tuple(fc.constantFrom('', '-'), fc.array(word, { minLength: 1, maxLength: 3 }));
    const written = (demands: [string, string[]][]) =>
      demands.map(([sign, words]) => `${sign}"${words.join(' ')}"`).join(' ');
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.array(demand, { minLength: 2, maxLength: 4 }),
        (texts, demands) => {
          const index = titles(...texts);
          const idsOf = (asked: [string, string[]][]) =>
            idsFound(index, { text: `* ${written(asked)}`, limit: 250 }).toSorted();
          const all = idsOf(demands);
          const each = demands.map((one) => idsOf([one]));
          const expected = each.reduce((left, ids) => left.filter((id) => ids.includes(id)));
          expect(all).toEqual(expected);
          expect(idsOf(demands)).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('read only documents that hold the words of all phrases', () => {
    const index = titles(
      'red wine old house',
      ...Array.from({ length: 200 }, () => 'red wine'),
      ...Array.from({ length: 200 }, () => 'old house'),
    );
    const read = vi.spyOn(DocumentTable.prototype, 'sourceOf');
    expect(idsFound(index, { text: '"red wine" "old house" -"wine red"' })).toEqual(['0']);
    // For each phrase, and to be shown and marked.
    expect(read.mock.calls.length).toBeLessThan(10);
    read.mockRestore();
  });
});
