import { afterEach, expect, test, vi } from 'vitest';
import { startWatchdog } from './watchdog.ts';

afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  vi.useFakeTimers();
  let asked = 0;
  let silences = 0;
  const watchdog = startWatchdog({
    beatMs: 1_000,
    beatsMissedMax: 3,
    ask: () => {
      asked += 1;
    },
    onSilence: () => {
      silences += 1;
    },
  });
  return { watchdog, asked: () => asked, silences: () => silences };
}

test('whoever answers within the allowed beats is left alone', () => {
  const { watchdog, silences, asked } = watched();
  for (let round = 0; round < 5; round += 1) {
    vi.advanceTimersByTime(3_000);
    watchdog.answered();
  }
  expect(silences()).toBe(0);
  expect(asked()).toBe(15);
});

test('silence is reported once, after the beats that may be missed', () => {
  const { silences } = watched();
  vi.advanceTimersByTime(3_999);
  expect(silences()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(silences()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(silences()).toBe(1);
});

test('a stopped watchdog says nothing', () => {
  const { watchdog, silences } = watched();
  watchdog.stop();
  vi.advanceTimersByTime(60_000);
  expect(silences()).toBe(0);
});
