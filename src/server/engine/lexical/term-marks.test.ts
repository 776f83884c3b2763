import { expect, it } from 'vitest';
import { fieldTexts } from '../documents/text-fields.ts';
import { WordMatches } from '../query/filter/word-matches.ts';
import { runSteps } from '../steps.ts';
import { english } from '../text/english.ts';
import { WorkBudget } from '../work-budget.ts';
import { LexicalIndex } from './lexical-index.ts';

/** As Arabic has it: what a word begins with is no part of its stem, so that the words of one stem do not stand side by side. */
const analyzer = { ...english, isStemBeginning: false, stem: (word: string) => word.replace(/^al(?=.)/, '') };

/** Units of work to find who holds a word that begins so, among so many stems, each of which stands with and without its article. */
function unitsAmong(stems: number): number {
  const lexical = new LexicalIndex(analyzer);
  for (let i = 0; i < stems; i += 1) {
    const text = i % 2 === 0 ? `q${i}w` : `q${i - 1}w alq${i - 1}w`;
    runSteps(lexical.add(i, runSteps(fieldTexts({ text }))));
  }
  const budget = new WorkBudget('filter', Number.MAX_SAFE_INTEGER);
  const { left } = budget;
  const matches = runSteps(
    new WordMatches(lexical, [], budget).of('text', { words: ['al'], isPrefix: true }),
  );
  expect(matches.possible.count()).toBeGreaterThanOrEqual(stems >> 1);
  return left - budget.left;
}

it('costs no more than its holders, however many words of other stems stand between those of one', () => {
  expect(unitsAmong(4_000)).toBeLessThan(5 * unitsAmong(1_000));
});
