import { expect, test } from 'vitest';
import { PartClock } from './part-clock.ts';

test('each part has the time that it was at work, and none while others had their turn', () => {
  let now = 100;
  const clock = new PartClock(() => now);
  const after = (ms: number) => {
    now += ms;
    return clock;
  };
  after(1).part = 'filter';
  after(2).part = 'words';
  after(4).pause();
  after(1000).goOn();
  after(8).part = 'facets';
  after(16).part = 'words';
  after(32);
  expect(clock.part).toBe('words');
  expect(clock.times).toEqual({ filter: 2, words: 4 + 8 + 32, facets: 16 });
  after(64);
  expect(clock.times.words).toBe(4 + 8 + 32 + 64);
});

test('what was at no part has no times', () => {
  expect(new PartClock(() => 0).times).toEqual({});
});
