import { expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { fieldTexts } from '../documents/text-fields.ts';
import { runSteps } from '../steps.ts';
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
  const parts = { lexical, documents: { live, capacity: documents.length, sourceOf }, weights: null };
  const finder = new PhraseFinder(parts, { fields: null }, new WorkBudget('words', units));
  const find = (phrase: string) =>
    runSteps(finder.find(phrase.split(' ').map((word) => lexical.dictionary.termForQuery(word))));
  return { find, readSoFar: () => read };
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

it('is refused where it would take more work than it may', () => {
  const documents = Array.from({ length: 10 }, () => ({ text: 'new york' }));
  expect(finderIn(documents, 10 * 10 * '{"text":"new york"}'.length).find('new york').ordinals).toHaveLength(
    10,
  );
  expect(() => finderIn(documents, 10 * 10 * '{"text":"new york"}'.length - 1).find('new york')).toThrow(
    TooDearError,
  );
});
