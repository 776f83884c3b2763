import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MinimumRate } from './minimum-rate.ts';

const limits = { stallMs: 60_000, bytesPerSecond: 1_000 };

/** Milliseconds until a peer that moves so many bytes every `everyMs` is too slow; null: not within an hour. */
function cutAfter({ bytes, everyMs }: { bytes: number; everyMs: number }): number | null {
  const rate = new MinimumRate(limits);
  for (let at = everyMs; at <= 3_600_000; at += everyMs) {
    const left = rate.leftMs;
    rate.noteWait(everyMs);
    if (rate.leftMs <= 0) return at - everyMs + left;
    rate.noteBytes(bytes);
  }
  return null;
}

describe('a peer that is waited for', () => {
  test.each([
    ['that does nothing', { bytes: 0, everyMs: 1_000 }, 60_000],
    ['that moves a byte a second', { bytes: 1, everyMs: 1_000 }, 60_060],
    ['that moves a byte just in time, once', { bytes: 1, everyMs: 59_999 }, 60_001],
    ['at half of the rate', { bytes: 500, everyMs: 1_000 }, 120_000],
  ])('%s is too slow after a while', (_, peer, after) => {
    expect(Math.abs((cutAfter(peer) ?? 0) - after)).toBeLessThan(1_001);
  });

  test.each([
    ['at the rate', { bytes: 1_000, everyMs: 1_000 }],
    ['at the rate, in large pieces', { bytes: 59_000, everyMs: 59_000 }],
    ['far above it', { bytes: 1_000_000, everyMs: 100 }],
  ])('%s never is', (_, peer) => {
    expect(cutAfter(peer)).toBeNull();
  });

  test('has never more time left than at first, and is not blamed at or above the rate', () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 59_999 }), fc.integer({ min: 0, max: 100_000 })),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const rate = new MinimumRate(limits);
        let isFastEnough = true;
        for (const [waitMs, bytes] of all) {
          isFastEnough &&= bytes >= waitMs;
          rate.noteWait(waitMs);
          expect(rate.leftMs > 0 || !isFastEnough).toBe(true);
          rate.noteBytes(bytes);
          expect(rate.leftMs).toBeLessThanOrEqual(limits.stallMs);
        }
      }),
    );
  });

  test('may move as little as it likes where there is no rate', () => {
    const rate = new MinimumRate({ stallMs: 1_000, bytesPerSecond: 0 });
    for (let times = 0; times < 100; times += 1) {
      rate.noteWait(999);
      expect(rate.leftMs).toBe(1);
      rate.noteBytes(1);
    }
    rate.noteWait(1_000);
    expect(rate.leftMs).toBe(0);
  });
});
