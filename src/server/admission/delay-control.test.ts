import { expect, it } from 'vitest';
import { DelayControl } from './delay-control.ts';

function world({ delayTargetMs = 40, atOnceMin = 4 } = {}) {
  let now = 0;
  const control = new DelayControl({ delayTargetMs, atOnceMin, floodMin: 2 }, () => now);
  /** So many one after the other, each in so many milliseconds, while one more is always at work. */
  const work = (count: number, eachMs: number) => {
    control.begin();
    for (let i = 0; i < count; i += 1) {
      now += eachMs;
      control.begin();
      control.end();
    }
    control.end();
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { control, work, pass };
}

it('has room for as many as are completed within the target', () => {
  const { control, work } = world();
  expect(control.room).toBe(4);
  work(500, 2);
  expect(control.room).toBe(20);
});

it('has a quarter of the room for a flood, and what keeps the threads busy at least', () => {
  const { control, work } = world();
  expect(control.shortRoom).toBe(2);
  work(500, 2);
  expect(control.shortRoom).toBe(5);
});

it('does not shrink with the rate while other things than this work hold it up', () => {
  const { control, work } = world();
  work(1_000, 2);
  // For a second hardly anything is completed; then as before.
  work(10, 100);
  expect(control.room).toBe(20);
  work(1_000, 2);
  expect(control.room).toBe(20);
});

it('follows work that has become dearer within some seconds', () => {
  const { control, work } = world();
  work(1_000, 2);
  work(50, 100);
  expect(control.room).toBe(4);
});

it('does not count the time in which nothing was asked', () => {
  const { control, pass } = world();
  for (let i = 0; i < 200; i += 1) {
    pass(1_000);
    control.begin();
    pass(2);
    control.end();
  }
  expect(control.room).toBe(20);
});

it('counts neither what waits for something else nor the time in which nothing else is there', () => {
  const { control, pass } = world();
  for (let i = 0; i < 6; i += 1) {
    control.begin();
    control.pause();
  }
  for (let i = 0; i < 200; i += 1) {
    pass(1_000);
    control.begin();
    pass(2);
    expect(control.atWork).toBe(1);
    control.end();
  }
  expect([control.room, control.isCongested]).toEqual([20, false]);
});
