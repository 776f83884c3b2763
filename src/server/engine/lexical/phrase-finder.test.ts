import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { fieldTexts } from '../documents/text-fields.ts';
import { runSteps } from '../steps.ts';
import { tokenize } from '../text/analyzer.ts';
import { TooDearError, WorkBudget } from '../work-budget.ts';
import { LexicalIndex } from './lexical-index.ts';
import { PhraseFinder } from './phrase-finder.ts';

function finderIn(documents: Record<string, unknown>[], units?: number) {
  const lexical = new LexicalIndex();
  for (const [ordinal, each] of documents.entries())
    runSteps(lexical.add(ordinal, runSteps(fieldTexts(each))));
  const live = new Bitset(documents.length).fill(documents.length);
  let read = 0;
  const sourceOf = (ordinal: number) => {
    read += 1;
    return JSON.stringify(documents[ordinal]);
  };
  const sourceBytesOf = (ordinal: number) => Buffer.byteLength(JSON.stringify(documents[ordinal]));
  const living = { live, capacity: documents.length, sourceOf, sourceBytesOf };
  const parts = { lexical, documents: living, weights: null, kept: lexical.phrases };
  const finderWith = (units?: number) =>
    new PhraseFinder(parts, { fields: null }, new WorkBudget('words', units));
  const finder = finderWith(units);
  const terms = (words: string[]) => words.map((word) => lexical.dictionary.termForQuery(word));
  const findBy = (finder: PhraseFinder, phrase: string) => {
    const { ordinals, frequencies } = runSteps(finder.find(terms(phrase.split(' '))));
    return { ordinals: [...ordinals], frequencies: [...frequencies] };
  };
  const find = (phrase: string) => findBy(finder, phrase);
  const findAgain = (phrase: string, units?: number) => findBy(finderWith(units), phrase);
  return { find, findAgain, finderWith, terms, lexical, readSoFar: () => read };
}

it('counts where the terms stand one behind the other, also over themselves', () => {
  const { find } = finderIn([
    { text: 'new new york, new york' },
    { text: 'york new' },
    { text: 'new', more: ['york', 'in New Yorks'] },
    { text: 'ha ha ha ha' },
  ]);
  expect(find('new york')).toEqual({ ordinals: [0, 2], frequencies: [2, 1] });
  expect(find('new new')).toEqual({ ordinals: [0], frequencies: [1] });
  expect(find('ha ha')).toEqual({ ordinals: [3], frequencies: [3] });
  expect(find('ha ha ha')).toEqual({ ordinals: [3], frequencies: [2] });
});

it('reads only documents that hold all terms, and each once however often it is asked', () => {
  const { find, readSoFar } = finderIn([{ text: 'new york' }, { text: 'new' }, { text: 'york' }]);
  find('new york');
  find('new york');
  expect(readSoFar()).toBe(1);
});

it('finds a phrase across the parts in which a long text is read', () => {
  const { find } = finderIn([
    { text: `${'filler '.repeat(72)}newest york ${'filler '.repeat(1_000)}new york` },
  ]);
  expect(find('new york')).toEqual({ ordinals: [0], frequencies: [1] });
  for (const place of [504, 508, 510, 511, 512]) {
    const text = `${'x'.repeat(place)} new york ${'filler '.repeat(100)}`;
    expect(finderIn([{ text }]).find('new york').ordinals).toEqual([0]);
  }
});

it('is refused where it would take more work than it may, before anything is read where its bytes tell that', () => {
  const documents = Array.from({ length: 10 }, () => ({ text: 'new york' }));
  expect(finderIn(documents, 10 * 10 * '{"text":"new york"}'.length).find('new york').ordinals).toHaveLength(
    10,
  );
  const work = 10 * 10 * '{"text":"new york"}'.length;
  const tooLittle = finderIn(documents, work - 1);
  expect(() => tooLittle.find('new york')).toThrow(TooDearError);
  const farTooLittle = finderIn(documents, work / 3 - 10);
  expect(() => farTooLittle.find('new york')).toThrow(TooDearError);
  expect(farTooLittle.readSoFar()).toBe(0);
});

it('costs the characters that are read, whatever bytes they have', () => {
  const documents = Array.from({ length: 10 }, () => ({ text: 'новый йорк' }));
  const work = 10 * 10 * '{"text":"новый йорк"}'.length;
  expect(finderIn(documents, work).find('новый йорк').ordinals).toHaveLength(10);
  expect(() => finderIn(documents, work - 1).find('новый йорк')).toThrow(TooDearError);
});

it('counts what a reading word by word counts, whatever the texts', () => {
  const word = fc.constantFrom(
    ...[
      'new',
      'New',
      'NEW',
      "new's",
      'york',
      'yorks',
      'Yorker',
      'ha',
      'naïve',
      'naive',
      '東京',
      '京都',
      '2049',
      'x',
    ],
  );
  const text = fc
    .array(fc.tuple(word, fc.constantFrom(' ', ', ', '-', "'", ' \u{1f355} ', '\u00ad')), { maxLength: 30 })
    .chain((pieces) => {
      const written = pieces.map((piece) => piece.join('')).join('');
      return fc.constantFrom(written, written, `${written}${' filler'.repeat(1_300)} ${written}`);
    });
  const phrase = fc.array(word, { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), phrase, (texts, words) => {
      const { find, terms } = finderIn(texts.map((each) => ({ text: each })));
      const asked = words.map((each) => tokenize(each)[0]?.token ?? '');
      const wanted = terms(asked);
      const expected = texts.map((each) => {
        const held = terms(tokenize(each).map(({ token }) => token));
        return held.filter((_, i) => wanted.every((term, place) => held[i + place] === term)).length;
      });
      const found = wanted.includes(-1) ? null : find(asked.join(' '));
      const counted = texts.map((_, i) => found?.frequencies[found.ordinals.indexOf(i)] ?? 0);
      expect(counted).toEqual(found === null ? texts.map(() => 0) : expected);
    }),
    { numRuns: 300 },
  );
});

it('is known to the next search until a document comes or goes, and costs that one as much', () => {
  const source = '{"text":"new york"}';
  const documents = [{ text: 'new york' }, { text: 'new' }];
  const { find, findAgain, finderWith, terms, lexical, readSoFar } = finderIn(documents);
  const once = find('new york');
  expect(findAgain('new york', 10 * source.length)).toEqual(once);
  expect(readSoFar()).toBe(1);
  expect(() => findAgain('new york', 10 * source.length - 1)).toThrow(TooDearError);
  const characters = () => runSteps(finderWith().charactersOf(terms(['new', 'york']), 1_000));
  expect([characters(), characters()]).toEqual([source.length, source.length]);
  expect(readSoFar()).toBe(1);
  runSteps(lexical.add(2, [{ path: 'text', text: 'old' }]));
  expect(findAgain('new york')).toEqual(once);
  expect(readSoFar()).toBe(2);
  runSteps(lexical.forget(2, [{ path: 'text', text: 'old' }]));
  findAgain('new york');
  expect(readSoFar()).toBe(3);
});
