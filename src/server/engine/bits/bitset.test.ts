import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSteps } from '../steps.ts';
import { Bitset } from './bitset.ts';

const ordinals = fc.array(fc.nat(300), { maxLength: 60 });

function bitsetOf(members: number[], capacity = 0): Bitset {
  const set = new Bitset(capacity);
  for (const member of members) set.add(member);
  return set;
}

function membersOf(set: Bitset): number[] {
  const members: number[] = [];
  set.forEach((i) => {
    members.push(i);
  });
  return members;
}

const sorted = (members: Iterable<number>): number[] => [...members].sort((a, b) => a - b);

describe('Bitset', () => {
  test('behaves as a set of numbers, whatever the capacities', () => {
    fc.assert(
      fc.property(ordinals, ordinals, fc.nat(400), fc.nat(400), (a, b, capacityA, capacityB) => {
        const left = new Set(a);
        const right = new Set(b);
        const x = bitsetOf(a, capacityA);
        const y = bitsetOf(b, capacityB);
        expect(membersOf(x)).toEqual(sorted(left));
        expect(x.count()).toBe(left.size);
        expect(membersOf(x.clone().and(y))).toEqual(sorted(left).filter((i) => right.has(i)));
        expect(membersOf(x.clone().or(y))).toEqual(sorted(new Set([...a, ...b])));
        expect(membersOf(x.clone().andNot(y))).toEqual(sorted(left).filter((i) => !right.has(i)));
        expect(x.intersects(y)).toBe(a.some((i) => right.has(i)));
        for (const i of right) {
          expect(x.has(i)).toBe(left.has(i));
          x.remove(i);
        }
        expect(membersOf(x)).toEqual(sorted(left).filter((i) => !right.has(i)));
        expect(x.isEmpty()).toBe(x.count() === 0);
      }),
    );
  });

  test('visits in steps what it visits at once, a small set without any', () => {
    const far = fc.array(fc.nat(20_000), { maxLength: 2_000 });
    fc.assert(
      fc.property(far, fc.nat(20_000), (members, filled) => {
        const set = bitsetOf(members).fill(filled);
        const visited: number[] = [];
        runSteps(set.visit((i) => visited.push(i)));
        expect(visited).toEqual(membersOf(set));
        expect([...runSteps(set.ordinals())]).toEqual(visited);
      }),
      { numRuns: 50 },
    );
    const visited: number[] = [];
    const steps = bitsetOf([3, 10_000]).visit((i) => visited.push(i));
    expect(visited).toEqual([3, 10_000]);
    expect(steps.next()).toEqual({ done: true, value: undefined });
    let pauses = 0;
    const many = new Bitset(0).fill(20_000).visit(() => undefined);
    while (!many.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(10);
  });

  test('fill adds exactly the first n and keeps what is beyond', () => {
    fc.assert(
      fc.property(fc.nat(200), ordinals, (n, others) => {
        const set = bitsetOf(others).fill(n);
        const first = Array.from({ length: n }, (_, i) => i);
        expect(membersOf(set)).toEqual(sorted(new Set([...first, ...others])));
      }),
    );
  });

  test('a clone does not follow its original', () => {
    const original = bitsetOf([1, 40]);
    const copy = original.clone();
    original.add(2);
    copy.remove(40);
    expect(membersOf(original)).toEqual([1, 2, 40]);
    expect(membersOf(copy)).toEqual([1]);
  });

  test('removing or asking beyond the capacity changes nothing', () => {
    const set = bitsetOf([3], 8);
    set.remove(1_000_000);
    expect(set.has(1_000_000)).toBe(false);
    expect(set.words.length).toBe(1);
  });
});
