import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Watchdog } from './watchdog.ts';

let stalled: number;
let isExpecting: boolean;
let watchdog: Watchdog;

beforeEach(() => {
  vi.useFakeTimers();
  stalled = 0;
  isExpecting = true;
  watchdog = new Watchdog({
    stallMs: 1_000,
    isExpecting: () => isExpecting,
    onStalled: () => {
      stalled += 1;
    },
  });
  watchdog.start();
});
afterEach(() => {
  watchdog.stop();
  vi.useRealTimers();
});

it('tells when nothing has come back for so long, and not before', () => {
  vi.advanceTimersByTime(1_000);
  expect(stalled).toBe(0);
  vi.advanceTimersByTime(100);
  expect(stalled).toBe(1);
});

it('counts anew when something has come back, and while nothing is waited for', () => {
  for (let i = 0; i < 5; i += 1) {
    vi.advanceTimersByTime(900);
    watchdog.reset();
  }
  isExpecting = false;
  vi.advanceTimersByTime(5_000);
  isExpecting = true;
  vi.advanceTimersByTime(1_000);
  expect(stalled).toBe(0);
});

it('says nothing once it is stopped, and begins anew when it is started again', () => {
  vi.advanceTimersByTime(1_000);
  watchdog.stop();
  vi.advanceTimersByTime(5_000);
  watchdog.start();
  vi.advanceTimersByTime(1_000);
  expect(stalled).toBe(0);
  vi.advanceTimersByTime(100);
  expect(stalled).toBe(1);
});
