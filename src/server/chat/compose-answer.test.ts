import { expect, test } from 'vitest';
import { sourceOf } from '../testing/chat-source.ts';
import { composeAnswer } from './compose-answer.ts';
import { evidenceMin, evidenceOf } from './evidence.ts';
import { readQuestion } from './question.ts';
import type { ScoredPassage } from './score-passages.ts';
import { stemsOf } from './words.ts';

const source = await sourceOf({ id: 'd', title: 'T' });
const other = await sourceOf({ id: 'e', title: 'U' });
const open = readQuestion('Tell of bees, honey, summer, apples, pears', () => 1);
const when = readQuestion('When were bees, honey, summer, apples, pears', () => 1);

function scored(text: string, more: Partial<ScoredPassage>): ScoredPassage {
  const spans = [{ field: 'text', start: 0, end: text.length }];
  const passage = { kind: 'sentence' as const, field: 'text', text, spans };
  return {
    source,
    number: 1,
    passage,
    place: 0,
    stems: stemsOf(text),
    overlap: 1,
    aspect: 1,
    names: 1,
    coverage: 1,
    similarity: 1,
    score: 1,
    ...more,
  };
}

test('the best source comes first, and of a source what stands first', () => {
  const composed = composeAnswer(
    [
      scored('Later in the second.', { number: 2, place: 5 }),
      scored('Of the first source.', { number: 1, score: 0.95 }),
      scored('Earlier words there.', { number: 2, place: 1, score: 0.9 }),
    ],
    open,
  );
  expect(composed?.text).toBe('Earlier words there. [2] Later in the second. [2] Of the first source. [1]');
  expect(composed?.sentences.map(({ start, end }) => composed.text.slice(start, end))).toEqual([
    'Earlier words there.',
    'Later in the second.',
    'Of the first source.',
  ]);
});

test('what says the same is said once', () => {
  const composed = composeAnswer(
    [
      scored('Bees gather honey in the summer.', {}),
      scored('In summer the bees gather honey.', { number: 2, score: 0.99 }),
    ],
    open,
  );
  expect(composed?.text).toBe('Bees gather honey in the summer. [1]');
});

test('what is much worse than the best is left out, and so is what goes beyond the number', () => {
  const all = ['One apple.', 'Two pears.', 'Three plums.', 'Four figs.'];
  const equal = all.map((text, place) => scored(text, { place }));
  expect(composeAnswer(equal, when)?.sentences).toHaveLength(2);
  expect(composeAnswer(equal, open)?.sentences).toHaveLength(3);
  const falling = all.map((text, place) => scored(text, { place, score: 1 - place / 2 }));
  expect(composeAnswer(falling, open)?.sentences).toHaveLength(1);
});

test('weak evidence is none, and a source that answers may go on with weaker sentences', () => {
  const strong = scored('Bees gather honey.', {});
  const weak = scored('Something else is here.', {
    overlap: 0,
    coverage: 0,
    similarity: 0,
    score: 0.9,
    place: 1,
  });
  expect(evidenceOf(strong, open)).toBeGreaterThan(evidenceMin);
  expect(evidenceOf(weak, open)).toBeLessThan(evidenceMin);
  expect(composeAnswer([weak], open)).toBeNull();
  expect(composeAnswer([], open)).toBeNull();
  expect(composeAnswer([strong, weak], open)?.sentences).toHaveLength(2);
  expect(composeAnswer([strong, { ...weak, source: other, number: 2 }], open)?.sentences).toHaveLength(1);
});

test('of a short question each word that is missing, and each name, counts more than of a long one', () => {
  const evidence = (question: string, more: Partial<ScoredPassage>) =>
    evidenceOf(
      scored('x', { overlap: 0.6, coverage: 0.6, similarity: 0.6, ...more }),
      readQuestion(question, () => 1),
    );
  const short = 'Who directed Desert Legion?';
  const long = `${short} Which actors, cameras, music, costumes, places, prizes and critics had it?`;
  expect(evidence(short, {})).toBeLessThan(evidence(long, {}));
  expect(evidence(short, { names: 0 })).toBeLessThan(evidence(short, { names: 1 }));
});

test('a value that a sentence has told already is not told again', () => {
  const year = 'Year: 1982';
  const value = {
    kind: 'value' as const,
    field: 'year',
    text: year,
    spans: [{ field: 'year', start: 0, end: 4 }],
  };
  const composed = composeAnswer(
    [
      scored('Blade Runner is a film of 1982.', {}),
      scored(year, { passage: value, stems: stemsOf('year released made 1982'), score: 0.99 }),
    ],
    when,
  );
  expect(composed?.text).toBe('Blade Runner is a film of 1982. [1]');
});
