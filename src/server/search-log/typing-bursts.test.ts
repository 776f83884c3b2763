import { expect, test } from 'vitest';
import { TypingBursts } from './typing-bursts.ts';

/** Types each text so many milliseconds after the one before; answers what counts, in order. */
function typed(
  steps: [text: string, afterMs: number, typist?: string, tenant?: string][],
  bursts = new TypingBursts<{ text: string }>(),
): string[] {
  const counted: string[] = [];
  let now = 0;
  for (const [text, afterMs, typist = 'ada', tenant = 'one'] of steps) {
    now += afterMs;
    counted.push(...bursts.takeRested(now).map((search) => search.text));
    const done = bursts.add(typist, tenant, { text }, now);
    if (done) counted.push(done.text);
  }
  counted.push(...bursts.takeRested(now + 60_000).map((search) => search.text));
  expect(bursts.size).toBe(0);
  return counted;
}

const letters = (text: string): [string, number][] => Array.from(text, (_, i) => [text.slice(0, i + 1), 200]);

test('the letters of a word are one search for it', () => {
  expect(typed(letters('batman'))).toEqual(['batman']);
});

test('a query that has rested for four seconds counts, also where it is typed on', () => {
  expect(typed([...letters('bat'), ['batm', 4_000], ['batma', 100]])).toEqual(['bat', 'batma']);
  expect(typed([...letters('bat'), ['batm', 3_999]])).toEqual(['batm']);
});

test('what is deleted letter by letter counts as what it was, what is corrected as what it is', () => {
  expect(typed([...letters('batman'), ['batm', 100], ['b', 100], ['s', 100], ['superman', 100]])).toEqual([
    'batman',
    'superman',
  ]);
  expect(
    typed([
      ['batmann', 0],
      ['batman', 100],
    ]),
  ).toEqual(['batman']);
});

test('another query is another search, the same again is not', () => {
  expect(
    typed([
      ['red', 0],
      ['blue', 100],
      ['blue', 100],
    ]),
  ).toEqual(['red', 'blue']);
});

test('who types is told apart', () => {
  expect(
    typed([
      ['re', 0, 'ada'],
      ['red', 100, 'bob'],
      ['red shoes', 100, 'ada'],
    ]),
  ).toEqual(['red', 'red shoes']);
});

test('where there is no room to wait a search counts at once, and no tenant takes the room of others', () => {
  const bursts = new TypingBursts<{ text: string }>({ bursts: 4, ofTenant: 2 });
  const add = (typist: string, tenant: string) => bursts.add(typist, tenant, { text: typist }, 0)?.text;
  expect(['a', 'b', 'c', 'd'].map((typist) => add(typist, 'loud'))).toEqual([undefined, undefined, 'c', 'd']);
  expect(add('e', 'quiet')).toBeUndefined();
  expect(add('f', 'other')).toBeUndefined();
  expect(add('g', 'fourth')).toBe('g');
  expect(bursts.size).toBe(4);
  bursts.takeRested(10_000);
  expect(add('c', 'loud')).toBeUndefined();
});
