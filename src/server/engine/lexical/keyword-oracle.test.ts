import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { Bitset } from '../bits/bitset.ts';
import { DocumentTable } from '../documents/document-table.ts';
import { fieldTexts } from '../documents/text-fields.ts';
import { SearchScratch } from '../memory/search-scratch.ts';
import { runSteps } from '../steps.ts';
import { searchFor } from '../testing/fixtures.ts';
import { PlainKeywordSearch } from '../testing/plain-keyword-search.ts';
import { runs } from '../testing/runs.ts';
import { typedWords } from '../testing/typed-words.ts';
import type { SearchQuery } from '../types.ts';
import { KeywordSearch } from './keyword-search.ts';
import { LexicalIndex } from './lexical-index.ts';

/** What matches, what is held and every score are held against a search that goes term at a time, to the last bit. */

const word = fc.constantFrom(
  'red',
  'wine',
  'wines',
  'old',
  'house',
  'houses',
  'river',
  'stonemason',
  'stone',
  'mason',
  'w',
  'ho',
);
const typed = typedWords(word);
const textOf = (of: fc.Arbitrary<string>, most: number) =>
  fc.array(of, { minLength: 1, maxLength: most }).map((words) => words.join(' '));
const source = fc.record({ title: textOf(word, 3), text: textOf(word, 9) }, { requiredKeys: [] });
/** So many copies, one behind the other or with others between. */
const documents = fc.array(fc.tuple(source, fc.integer({ min: 1, max: 40 })), {
  minLength: 1,
  maxLength: 12,
});

const search = fc
  .record({
    text: textOf(typed, 5),
    fields: fc.constantFrom<SearchQuery['fields']>(
      null,
      [{ name: 'title', weight: 1 }],
      [
        { name: 'title', weight: 3.3 },
        { name: 'text', weight: 0.7 },
      ],
    ),
    prefix: fc.boolean(),
    typosMax: fc.constantFrom(0, 1, 2),
    wordBreaks: fc.constantFrom('off' as const, 'fallback' as const, 'always' as const),
    dropTokensThreshold: fc.constantFrom(0, 1, 10),
    match: fc.constantFrom('auto' as const, 'all' as const, 'any' as const),
    synonyms: fc.constantFrom<SearchQuery['synonyms']>(
      [],
      [{ words: ['red'], alternatives: [['mason'], ['old', 'house']] }],
    ),
    ranking: fc.constantFrom(
      toRanking(),
      toRanking({ k1: 0, prefix_weight: 0, typo_weight: 0.5 }),
      toRanking({ short_query_words: 1, coverage_share: 0 }),
      toRanking({ corrected_weight: 0, covered_by_typo: 1, whole_title_weight: 0 }),
    ),
  })
  .map(searchFor);

interface History {
  copies: [{ title?: string; text?: string }, number][];
  /** Ids that are deleted again, and whether what is left is compacted then. */
  gone: number[];
  isCompacted: boolean;
}

function partsOf({ copies, gone, isCompacted }: History) {
  let table = new DocumentTable();
  let lexical = new LexicalIndex();
  const sources: string[] = [];
  const most = Math.max(...copies.map(([, count]) => count));
  for (let round = 0; round < most; round += 1)
    for (const [fields, count] of copies) if (round < count) sources.push(JSON.stringify(fields));
  for (const [i, each] of sources.entries()) {
    const ordinal = table.add(`d${i}`, each);
    runSteps(lexical.add(ordinal, runSteps(fieldTexts(JSON.parse(each)))));
  }
  for (const i of new Set(gone)) {
    const ordinal = table.ordinalOf(`d${i}`);
    if (ordinal === undefined) continue;
    runSteps(lexical.forget(ordinal, runSteps(fieldTexts(JSON.parse(sources[i] ?? '{}')))));
    table.remove(ordinal);
  }
  if (isCompacted) {
    const compacted = runSteps(table.compacted());
    lexical = runSteps(lexical.compacted(compacted.renumbered));
    table = compacted.table;
  }
  return { documents: table, lexical, scratch: new SearchScratch() };
}

const history: fc.Arbitrary<History> = fc.record({
  copies: documents,
  gone: fc.array(fc.nat(300), { maxLength: 60 }),
  isCompacted: fc.boolean(),
});

const setOf = (ordinals: Bitset): number[] => [...runSteps(ordinals.ordinals())];

describe('a keyword search', () => {
  it('matches and scores as one that goes term at a time, whatever came and went', () => {
    fc.assert(
      fc.property(history, fc.array(search, { minLength: 1, maxLength: 4 }), (given, queries) => {
        const parts = partsOf(given);
        for (const query of queries) {
          const found = runSteps(new KeywordSearch(parts, query).run());
          const plainParts = { ...parts, scratch: new SearchScratch() };
          const plain = runSteps(new PlainKeywordSearch(plainParts, query).run());
          expect(setOf(found.matched)).toEqual(setOf(plain.matched));
          expect([found.rule, found.held, found.totals]).toEqual([plain.rule, plain.held, plain.totals]);
          const all = Int32Array.from({ length: parts.documents.capacity }, (_, ordinal) => ordinal);
          const scores = new Float64Array(all.length);
          if (found.scores !== null) runSteps(found.scores.scoresOf(all, scores));
          const live = setOf(parts.documents.live);
          expect(live.map((ordinal) => scores[ordinal])).toEqual(
            live.map((ordinal) => plain.scores?.[ordinal] ?? 0),
          );
          for (const ordinal of live.slice(0, 5))
            expect(found.scores?.scoreOf(ordinal)).toBe(scores[ordinal]);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('puts forward the best of any documents, in the order of scores and ids', () => {
    const among = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(history, search, among, (given, query, [step, count]) => {
        const parts = partsOf(given);
        const { scores, matched } = runSteps(new KeywordSearch(parts, { ...query, match: 'any' }).run());
        if (scores === null) return;
        const some = new Bitset(parts.documents.capacity);
        for (const ordinal of setOf(matched)) if (ordinal % step === 0) some.add(ordinal);
        const { isBefore } = parts.documents;
        const best = runSteps(scores.best(count, some, isBefore));
        const byHand = setOf(some)
          .map((ordinal) => ({ ordinal, score: scores.scoreOf(ordinal) }))
          .sort((a, b) => b.score - a.score || (isBefore(a.ordinal, b.ordinal) ? -1 : 1))
          .slice(0, count);
        expect([...best.ordinals]).toEqual(byHand.map(({ ordinal }) => ordinal));
        expect([...best.scores]).toEqual(byHand.map(({ score }) => score));
      }),
      { numRuns: runs(150) },
    );
  });

  it('covers and ranks many documents as one that goes term at a time, of few words and of so many that they have no masks', () => {
    const rare = Array.from({ length: 30 }, (_, i) => `rare${'abcdefghij'[i % 10]}${'klm'[i % 3]}`);
    const long = fc.subarray(rare, { minLength: 1 }).map((words) => words.join(' '));
    const title = fc.record({ title: fc.tuple(long, fc.constantFrom('', 'wine', 'wine house')).map(String) });
    const copies = fc.array(fc.tuple(title, fc.integer({ min: 1, max: 60 })), {
      minLength: 8,
      maxLength: 16,
    });
    const common: [{ title: string }, number][] = [
      [{ title: 'wine' }, 900],
      [{ title: 'wine old house' }, 90],
    ];
    const asked = fc.record({
      words: long,
      typosMax: fc.constantFrom(0, 2),
      share: fc.constantFrom(0, 0.25, 0.6),
    });
    fc.assert(
      fc.property(
        copies,
        asked,
        fc.integer({ min: 1, max: 40 }),
        (some, { words, typosMax, share }, count) => {
          const parts = partsOf({ copies: [...some, ...common], gone: [1, 5, 9], isCompacted: false });
          const ranking = toRanking({
            short_query_words: 1,
            coverage_share: share,
            long_coverage_share: share,
          });
          const query = searchFor({ text: `${words} wine house old`, typosMax, ranking });
          const { matched, scores } = runSteps(new KeywordSearch(parts, query).run());
          const plain = runSteps(
            new PlainKeywordSearch({ ...parts, scratch: new SearchScratch() }, query).run(),
          );
          expect(setOf(matched)).toEqual(setOf(plain.matched));
          const { isBefore } = parts.documents;
          const best = scores && runSteps(scores.best(count, matched, isBefore));
          const byHand = setOf(matched)
            .map((ordinal) => ({ ordinal, score: plain.scores?.[ordinal] ?? 0 }))
            .sort((a, b) => b.score - a.score || (isBefore(a.ordinal, b.ordinal) ? -1 : 1))
            .slice(0, count);
          expect([...(best?.ordinals ?? [])]).toEqual(byHand.map(({ ordinal }) => ordinal));
          expect([...(best?.scores ?? [])]).toEqual(byHand.map(({ score }) => score));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('leaves nothing behind in what the next search works with, ended in between too', () => {
    fc.assert(
      fc.property(history, search, search, fc.nat(3), (given, first, second, steps) => {
        const parts = partsOf(given);
        const ended = new KeywordSearch(parts, first).run();
        for (let i = 0; i < steps; i += 1) ended.next();
        ended.return(runSteps(new KeywordSearch({ ...parts, scratch: new SearchScratch() }, first).run()));
        const found = runSteps(new KeywordSearch(parts, second).run());
        const fresh = runSteps(new KeywordSearch({ ...parts, scratch: new SearchScratch() }, second).run());
        expect(setOf(found.matched)).toEqual(setOf(fresh.matched));
        for (const ordinal of setOf(found.matched))
          expect(found.scores?.scoreOf(ordinal)).toBe(fresh.scores?.scoreOf(ordinal));
      }),
      { numRuns: 50 },
    );
  });
});
