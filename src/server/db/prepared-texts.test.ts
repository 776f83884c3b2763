import { expect, test } from 'vitest';
import { createPreparedTexts } from './prepared-texts.ts';

const times = (count: number, task: () => boolean) => Array.from({ length: count }, task).at(-1);

test('a text is prepared from its third use on', () => {
  const texts = createPreparedTexts();
  expect([1, 2, 3, 4].map(() => texts.shouldPrepare('select $1'))).toEqual([false, false, true, true]);
});

test('texts that come once keep no place, and what is prepared stays so', () => {
  const texts = createPreparedTexts();
  expect(times(3, () => texts.shouldPrepare('hot'))).toBe(true);
  for (let i = 0; i < 10_000; i++) expect(texts.shouldPrepare(`once ${i}`)).toBe(false);
  expect(texts.shouldPrepare('hot')).toBe(true);
  expect(times(3, () => texts.shouldPrepare('later'))).toBe(true);
});

test('of 500 texts uses are counted; the one seen longest ago is forgotten', () => {
  const afterOthers = (others: number) => {
    const texts = createPreparedTexts();
    times(2, () => texts.shouldPrepare('seldom'));
    for (let i = 0; i < others; i++) texts.shouldPrepare(`once ${i}`);
    return texts.shouldPrepare('seldom');
  };
  expect([afterOthers(499), afterOthers(500)]).toEqual([true, false]);
});

test('a connection never has more than 250 of them', () => {
  const texts = createPreparedTexts();
  const prepared = Array.from({ length: 300 }, (_, i) => times(3, () => texts.shouldPrepare(`text ${i}`)));
  expect(prepared.filter(Boolean)).toHaveLength(250);
});

test('a very long one is not', () => {
  const texts = createPreparedTexts();
  expect(times(9, () => texts.shouldPrepare('x'.repeat(4_001)))).toBe(false);
});
