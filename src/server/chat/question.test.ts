import { expect, test } from 'vitest';
import { readQuestion } from './question.ts';

const rarity = () => 1;

test.each([
  ['Who played Rick Blaine in Casablanca?', [['rick', 'blaine', 'in', 'casablanca']]],
  [
    'When did the Duke of York see 12 Monkeys?',
    [
      ['duke', 'of', 'york'],
      ['12', 'monkeys'],
    ],
  ],
  ['Casablanca', []],
])('the names and numbers of %j', (text, names) => {
  expect(readQuestion(text, rarity).names).toEqual(names);
});

test('numbers without an end are a few short names: each of their words is looked for in each passage', () => {
  const numbers = Array.from({ length: 800 }, (_, i) => String(1_000 + i)).join(' ');
  const { names } = readQuestion(numbers, rarity);
  expect(names).toHaveLength(16);
  expect(names.map(({ length }) => length)).toEqual(names.map(() => 8));
});
