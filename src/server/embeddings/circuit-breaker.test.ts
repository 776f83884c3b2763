import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ask, CircuitBreaker } from './circuit-breaker.ts';

function open() {
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  const asked = (): Ask => {
    const ask = breaker.ask();
    if (!ask) throw new Error('it rests');
    return ask;
  };
  return { breaker, asked, pass: (ms: number) => (now += ms) };
}

test('it rests after five failures in a row, twice as long after each trial that fails, and one trial ends it', () => {
  const { breaker, asked, pass } = open();
  for (let i = 0; i < 4; i += 1) breaker.failed(asked());
  breaker.succeeded();
  for (let i = 0; i < 5; i += 1) {
    expect(breaker.isOpen).toBe(false);
    breaker.failed(asked());
  }
  for (const restMs of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
    expect(breaker.restMs).toBe(restMs);
    expect(breaker.ask()).toBe(null);
    pass(restMs);
    const trial = asked();
    expect(breaker.ask()).toBe(null);
    breaker.failed(trial);
  }
  pass(120_000);
  asked();
  breaker.succeeded();
  expect([breaker.isOpen, breaker.restMs]).toEqual([false, 0]);
  expect(asked().isTrial).toBe(false);
});

test('what was under way when it opened neither lengthens the rest nor ends a trial', () => {
  const { breaker, asked, pass } = open();
  const early = Array.from({ length: 9 }, asked);
  for (const ask of early.slice(0, 5)) breaker.failed(ask);
  for (const ask of early.slice(5, 8)) breaker.failed(ask);
  expect(breaker.restMs).toBe(5_000);
  pass(5_000);
  asked();
  const [last] = early.slice(8);
  if (last) breaker.left(last);
  expect(breaker.ask()).toBe(null);
});

test('a trial whose caller goes leaves its place, and a longer rest that was asked for is kept', () => {
  const { breaker, asked, pass } = open();
  for (let i = 0; i < 4; i += 1) breaker.failed(asked());
  breaker.failed(asked(), 60_000);
  expect(breaker.restMs).toBe(60_000);
  pass(60_000);
  breaker.left(asked());
  expect(asked().isTrial).toBe(true);
});

test('whatever happens, an open one lets one through at a time and never during its rest', () => {
  const events = fc.array(fc.constantFrom('ask', 'fail', 'succeed', 'leave', 'pass'), { maxLength: 200 });
  fc.assert(
    fc.property(events, (all) => {
      const { breaker, pass } = open();
      const underWay: Ask[] = [];
      for (const event of all) {
        if (event === 'pass') pass(3_000);
        else if (event === 'ask') {
          const wasResting = breaker.restMs > 0;
          const ask = breaker.ask();
          if (ask) {
            expect(wasResting).toBe(false);
            underWay.push(ask);
          }
        } else {
          const ask = underWay.shift();
          if (!ask) continue;
          if (event === 'fail') breaker.failed(ask);
          else if (event === 'leave') breaker.left(ask);
          else breaker.succeeded();
        }
        if (breaker.isOpen) expect(underWay.filter(({ isTrial }) => isTrial).length).toBeLessThanOrEqual(1);
      }
    }),
  );
});
