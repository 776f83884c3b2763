import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteShares } from './byte-shares.ts';

const refusal = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });

describe('bytes that requests hold together', () => {
  test('are never more than the most, and nobody has more than is left', () => {
    const steps = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 60 }), fc.boolean()), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const shares = new ByteShares(100);
        const open: { tenant: string; bytes: number; release: () => void }[] = [];
        const sum = (of: typeof open) => of.reduce((bytes, one) => bytes + one.bytes, 0);
        for (const [n, bytes, isRelease] of all) {
          if (isRelease) open.shift()?.release();
          const tenant = String(n);
          const own = sum(open.filter((one) => one.tenant === tenant)) + bytes;
          const left = 100 - sum(open);
          const held = shares.hold(tenant);
          if (own > left - bytes) expect(() => held.add(bytes)).toThrow(refusal);
          else {
            held.add(bytes);
            open.push({ tenant, bytes, release: held.release });
          }
          expect(shares.heldBytes).toBe(sum(open));
          expect(shares.heldBytes).toBeLessThanOrEqual(100);
        }
        for (const { release } of open) release();
        expect(shares.heldBytes).toBe(0);
      }),
    );
  });

  test('who holds all that it may turns away only itself', () => {
    const shares = new ByteShares(100);
    const greedy = shares.hold('greedy');
    greedy.add(50);
    expect(() => shares.hold('greedy').add(1)).toThrow(refusal);
    const modest = shares.hold('modest');
    modest.add(25);
    expect(() => modest.add(1)).toThrow(refusal);
    greedy.release();
    modest.add(25);
  });

  test('are half of all at most for one tenant, by its first request too', () => {
    const shares = new ByteShares(128);
    const greedy = shares.hold('greedy');
    expect(() => greedy.add(65)).toThrow(refusal);
    greedy.add(64);
    shares.hold('modest').add(1);
    expect(shares.heldBytes).toBe(65);
  });

  test('are raised to what they come to, and released once', () => {
    const shares = new ByteShares(80);
    const held = shares.hold('a');
    held.add(30);
    held.raiseTo(20);
    expect(shares.heldBytes).toBe(30);
    held.raiseTo(40);
    expect(shares.heldBytes).toBe(40);
    expect(() => held.raiseTo(41)).toThrow(refusal);
    expect(shares.heldBytes).toBe(40);
    held.release();
    held.release();
    held.add(10);
    expect(shares.heldBytes).toBe(0);
  });

  test('of calls of one request are counted together, and released one by one', () => {
    const shares = new ByteShares(80);
    const request = shares.hold('a');
    request.add(10);
    const [first, second] = [request.part(), request.part()];
    first.raiseTo(12);
    second.raiseTo(12);
    expect(shares.heldBytes).toBe(34);
    expect(() => second.raiseTo(19)).toThrow(refusal);
    first.release();
    second.raiseTo(19);
    request.raiseTo(20);
    expect(shares.heldBytes).toBe(39);
    request.release();
    second.add(1);
    request.part().add(1);
    expect(shares.heldBytes).toBe(0);
  });

  test('for what cannot be refused any more are raised as far as there is room', () => {
    const shares = new ByteShares(100);
    const held = shares.hold('a');
    held.add(30);
    held.raiseUpTo(20);
    expect(shares.heldBytes).toBe(30);
    held.raiseUpTo(45);
    expect(shares.heldBytes).toBe(45);
    held.raiseUpTo(90);
    expect(shares.heldBytes).toBe(50);
    const other = shares.hold('b');
    other.raiseUpTo(90);
    expect(shares.heldBytes).toBe(75);
    other.raiseUpTo(91);
    expect(shares.heldBytes).toBe(75);
  });
});
