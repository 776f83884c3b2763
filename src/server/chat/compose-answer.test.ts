import { expect, test } from 'vitest';
import { sourceOf } from '../testing/chat-source.ts';
import { composeAnswer } from './compose-answer.ts';
import { evidenceMin } from './evidence.ts';
import type { ScoredPassage } from './score-passages.ts';
import { stemsOf } from './words.ts';

const source = await sourceOf({ id: 'd', title: 'T' });

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
    'open',
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
    'open',
  );
  expect(composed?.text).toBe('Bees gather honey in the summer. [1]');
});

test('what is much worse than the best is left out, and so is what goes beyond the number', () => {
  const all = ['One apple.', 'Two pears.', 'Three plums.', 'Four figs.'];
  const equal = all.map((text, place) => scored(text, { place }));
  expect(composeAnswer(equal, 'when')?.sentences).toHaveLength(2);
  expect(composeAnswer(equal, 'open')?.sentences).toHaveLength(3);
  const falling = all.map((text, place) => scored(text, { place, score: 1 - place / 2 }));
  expect(composeAnswer(falling, 'open')?.sentences).toHaveLength(1);
});

test('weak evidence is none', () => {
  const at = (overlap: number) =>
    composeAnswer([scored('Something.', { overlap, similarity: overlap })], 'open');
  expect(at(evidenceMin)).not.toBeNull();
  expect(at(evidenceMin - 0.01)).toBeNull();
  expect(composeAnswer([], 'open')).toBeNull();
});
