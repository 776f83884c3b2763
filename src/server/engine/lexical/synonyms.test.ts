import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { document, idsFound, indexOf, searchFor, titles } from '../testing/fixtures.ts';
import { runs } from '../testing/runs.ts';

/** Words of a query that stand for others. */

const plain = { prefix: false, typosMax: 0, limit: 250 } as const;
const tv = { words: ['tv'], alternatives: [['television'], ['idiot', 'box']] };

describe('a synonym', () => {
  it('counts as the word for every rule', () => {
    const index = titles('tv stand', 'television stand', 'radio stand', 'television');
    for (const match of ['all', 'auto'] as const) {
      const { hits, matchRule } = index.search(
        searchFor({
          ...plain,
          text: 'tv stand',
          match,
          synonyms: [tv],
          ranking: toRanking({ few_matches: 1 }),
        }),
      );
      expect([matchRule, hits.map(({ id }) => id)]).toEqual(['all', ['0', '1']]);
    }
    const any = idsFound(index, { ...plain, text: 'tv', match: 'any', synonyms: [tv] });
    expect(any.sort()).toEqual(['0', '1', '3']);
  });

  it('of several words is a phrase: its words one behind the other, in one text', () => {
    const index = indexOf([
      document('phrase', { title: 'the idiot box' }),
      document('apart', { title: 'idiot in a box' }),
      document('turned', { title: 'box idiot' }),
      document('fields', { title: 'idiot', text: 'box' }),
      document('list', { tags: ['idiot', 'box'] }),
      document('later', { text: 'an idiot, idiot boxes' }),
      document('other', { title: 'radio' }),
    ]);
    expect(idsFound(index, { ...plain, text: 'tv', synonyms: [tv] }).sort()).toEqual(['later', 'phrase']);
    const fields = [{ name: 'title', weight: 1 }];
    expect(idsFound(index, { ...plain, text: 'tv', synonyms: [tv], fields })).toEqual(['phrase']);
  });

  it('of several words of the query counts as each of them, stop words among them too', () => {
    const index = titles('nyc hotel', 'new york hotel', 'york hotel', 'nyc');
    const synonyms = [{ words: ['new', 'york'], alternatives: [['nyc']] }];
    const found = idsFound(index, { ...plain, text: 'new york hotel', match: 'all', synonyms });
    expect(found.sort()).toEqual(['0', '1']);
    const it = titles('it manager', 'information technology manager', 'sales manager');
    const ofStopWord = [{ words: ['it'], alternatives: [['information', 'technology']] }];
    expect(idsFound(it, { ...plain, text: 'it manager', match: 'all', synonyms: ofStopWord })).toEqual([
      '0',
      '1',
    ]);
  });

  it('keeps a word that nobody holds from being read as another', () => {
    const index = titles('lorry', 'lorrie');
    const synonyms = [{ words: ['lorrie'], alternatives: [['truck']] }];
    const given = {
      text: 'lorrx',
      prefix: false,
      synonyms: [{ words: ['lorrx'], alternatives: [['truck']] }],
    };
    expect(index.search(searchFor(given)).correctedTokens).toEqual([{ from: 'lorrx', to: 'lorry' }]);
    const withTruck = titles('lorry', 'truck');
    const answer = withTruck.search(searchFor(given));
    expect([answer.hits[0]?.id, answer.correctedTokens, answer.droppedTokens]).toEqual(['1', [], []]);
    // What a typo is corrected to is not widened.
    expect(idsFound(titles('lorrie', 'truck'), { text: 'lorrje', prefix: false, synonyms })).toEqual(['0']);
  });

  it('never stands in a filter', () => {
    const index = titles('tv', 'television');
    expect(idsFound(index, { ...plain, text: '*', filter: 'title:tv', synonyms: [tv] })).toEqual(['0']);
  });

  it('is marked, a phrase only where it stands whole', () => {
    const index = titles('idiot box: a box for an idiot, not a television', 'tv');
    const { hits } = index.search(searchFor({ ...plain, text: 'tv', synonyms: [tv] }));
    const [highlight] = hits.find(({ id }) => id === '0')?.highlights ?? [];
    expect(highlight?.snippet).toBe(
      '<mark>idiot</mark> <mark>box</mark>: a box for an idiot, not a <mark>television</mark>',
    );
    expect(highlight?.matchedTokens).toEqual(['idiot', 'box', 'television']);
  });
});

describe('scores', () => {
  it('are at most those of the word itself in a document alike', () => {
    const index = titles('tv stand', 'television stand', 'idiot box stand', 'tv black stand', 'filler');
    const { hits } = index.search(searchFor({ ...plain, text: 'tv', synonyms: [tv] }));
    const score = new Map(hits.map((hit) => [hit.id, hit.score]));
    const of = (id: string) => score.get(id) ?? Number.NaN;
    expect(of('1')).toBeLessThan(of('0'));
    expect(of('1')).toBeGreaterThan(0.9 * of('0'));
    expect(of('2')).toBeLessThan(of('3'));
    const alike = index.search(
      searchFor({ ...plain, text: 'tv', synonyms: [tv], ranking: toRanking({ synonym_weight: 1 }) }),
    );
    const [first, second] = alike.hits;
    expect([first?.id, second?.id, second?.score]).toEqual(['0', '1', first?.score]);
  });

  it('count a word once that the synonym shares with the query, or with another synonym', () => {
    const index = titles('mobile phone case', 'cell phone case', 'smartphone black case', 'filler');
    const phones = [
      { words: ['mobile', 'phone'], alternatives: [['cell', 'phone'], ['smartphone']] },
      { words: ['smartphone'], alternatives: [['phone'], ['mobile', 'phone']] },
    ];
    const scoresOf = (text: string) => {
      const { hits } = index.search(searchFor({ ...plain, text, synonyms: phones }));
      return new Map(hits.map(({ id, score }) => [id, score]));
    };
    const mobile = scoresOf('mobile phone');
    expect([...mobile.keys()]).toEqual(['0', '1', '2']);
    const smart = scoresOf('smartphone');
    expect([...smart.keys()][0]).toBe('2');
    // "mobile phone" is no more than "phone" is.
    expect(smart.get('0')).toBe(smart.get('1'));
    const { hits } = index.search(searchFor({ ...plain, text: 'smartphone', synonyms: phones }));
    const marked = hits.map(({ highlights: [first] }) => first?.snippet);
    expect(marked).toContain('<mark>mobile</mark> <mark>phone</mark> case');
  });

  const words = ['amber', 'birch', 'cedar', 'fern'] as const;
  const word = fc.constantFrom(...words);
  const title = fc.array(word, { minLength: 1, maxLength: 6 });
  const synonym = fc.record({
    words: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
    alternatives: fc.array(fc.array(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  });

  /** How often a phrase stands in a text. */
  const times = (text: string[], phrase: string[]) =>
    text.filter((_, i) => phrase.every((each, j) => text[i + j] === each)).length;

  it('and matches equal a plain reimplementation', () => {
    fc.assert(
      fc.property(
        fc.array(title, { minLength: 1, maxLength: 12 }),
        fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
        fc.array(synonym, { maxLength: 3 }),
        fc.constantFrom(0.5, 0.9, 1),
        (texts, query, synonyms, weight) => {
          const share = Math.round(weight * 1024) / 1024;
          const ranking = toRanking({ synonym_weight: weight, title_weight: 1, whole_title_weight: 0 });
          const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
          const alternativesOf = (own: string) => {
            const all = synonyms.flatMap((each) =>
              each.words.includes(own as never) ? each.alternatives : [],
            );
            const others = all.filter((phrase) => phrase.join() !== own);
            return [...new Map(others.map((phrase) => [phrase.join(), phrase])).values()];
          };
          const holds = (phrase: string[], other: string[]) =>
            phrase.length > other.length && times(phrase, other) > 0;
          const frequency = (text: string[], own: string) => {
            const alternatives = alternativesOf(own);
            // What is found in what else is found counts once.
            const counted = alternatives.filter(
              (phrase) => ![[own], ...alternatives].some((other) => holds(phrase, other)),
            );
            return times(text, [own]) + counted.reduce((sum, phrase) => sum + share * times(text, phrase), 0);
          };
          const expected = texts.map((text) => {
            const scores = query.map((own) => {
              const holders = texts.filter((each) => frequency(each, own) > 0).length;
              const idf = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
              const tf = frequency(text, own);
              const { k1, b } = ranking;
              return (idf * tf) / (tf + k1 * (1 - b + (b * text.length) / mean));
            });
            return { isMatch: query.every((own) => frequency(text, own) > 0), scores };
          });
          const index = titles(...texts.map((text) => text.join(' ')));
          const { hits } = index.search(
            searchFor({ ...plain, text: query.join(' '), match: 'all', synonyms, ranking }),
          );
          const found = new Map(hits.map(({ id, score }) => [id, score]));
          expected.forEach(({ isMatch, scores }, i) => {
            expect(found.has(String(i))).toBe(isMatch);
            if (!isMatch) return;
            const sum = scores.reduce((total, score) => total + score, 0);
            expect(found.get(String(i))).toBeCloseTo(sum, 9);
          });
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
