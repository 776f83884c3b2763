import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionPlaces } from './connection-places.ts';

/** Connections are called by their address and a number: `a1`. */
function places(limits: { max: number; perAddress: number }) {
  const closed: string[] = [];
  const all = new ConnectionPlaces<string>(limits, (connection) => closed.push(connection));
  const admit = (...names: string[]) => names.map((name) => all.admit(name, name.charAt(0)));
  return { all, admit, closed };
}

describe('places for connections', () => {
  test('an address has its share of them', () => {
    const { all, admit, closed } = places({ max: 10, perAddress: 2 });
    expect(admit('a1', 'a2', 'a3', 'b1')).toEqual([true, true, false, true]);
    all.leave('a1');
    expect(admit('a4')).toEqual([true]);
    expect(closed).toEqual([]);
  });

  test('when all are taken the address with most idle ones gives that up which is idle longest', () => {
    const { all, admit, closed } = places({ max: 6, perAddress: 6 });
    admit('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
    all.use('a1');
    all.rest('a1');
    expect(admit('d1')).toEqual([true]);
    expect(closed).toEqual(['a2']);
    all.use('b1');
    expect(admit('c2')).toEqual([true]);
    expect(closed).toEqual(['a2', 'a3']);
  });

  test('nobody gives one up for an address that has as many', () => {
    const { all, admit, closed } = places({ max: 4, perAddress: 4 });
    admit('a1', 'a2', 'b1', 'b2');
    for (const busy of ['a1', 'a2']) all.use(busy);
    expect(admit('a3')).toEqual([false]);
    expect(closed).toEqual([]);
    expect(admit('b3', 'c1')).toEqual([true, true]);
    expect(closed).toEqual(['b1', 'b2']);
  });

  test('with requests under way on all of them nobody else is taken', () => {
    const { all, admit, closed } = places({ max: 2, perAddress: 2 });
    admit('a1', 'a2');
    for (const busy of ['a1', 'a2']) all.use(busy);
    expect(admit('b1')).toEqual([false]);
    all.rest('a2');
    expect(admit('b1')).toEqual([true]);
    expect(closed).toEqual(['a2']);
  });

  test('whatever happens: no more are open than may be, and only idle ones were closed', () => {
    const limits = { max: 7, perAddress: 4 };
    const step = fc.tuple(fc.constantFrom('admit', 'use', 'rest', 'leave'), fc.nat(4), fc.nat(9));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const open = new Map<string, 'idle' | 'busy'>();
        const all = new ConnectionPlaces<string>(limits, (connection) => {
          expect(open.get(connection)).toBe('idle');
          open.delete(connection);
        });
        for (const [what, address, n] of steps) {
          const name = `${address}-${n}`;
          if (what === 'admit') {
            if (!open.has(name) && all.admit(name, String(address))) open.set(name, 'idle');
          } else if (open.has(name)) {
            all[what](name);
            if (what === 'leave') open.delete(name);
            else open.set(name, what === 'use' ? 'busy' : 'idle');
          }
          const ofAddress = [...open.keys()].filter((one) => one.startsWith(`${address}-`));
          expect(ofAddress.length).toBeLessThanOrEqual(limits.perAddress);
          expect(all.open).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(limits.max);
        }
      }),
    );
  });
});
