import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionPlaces, type PlaceLimits } from './connection-places.ts';

/** Connections are called by their address and a number: `a1`. Addresses that differ by their case alone are of one network. */
function places(limits: Partial<PlaceLimits>) {
  const closed: string[] = [];
  const roomy = { max: 100, perAddress: 100, perNetwork: 100, heldBack: 100 };
  const all = new ConnectionPlaces<string>({ ...roomy, ...limits }, (connection) => closed.push(connection));
  const admit = (...names: string[]) =>
    names.map((name) => all.admit(name, [name.charAt(0).toLowerCase(), name.charAt(0)]));
  /** With a request under way. */
  const admitBusy = (...names: string[]) => {
    admit(...names);
    for (const name of names) all.use(name);
  };
  return { all, admit, admitBusy, closed };
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

  test('a slow reader makes room where nothing is idle, and not once it reads on or has what it asked for', () => {
    const { all, admit, admitBusy, closed } = places({ max: 5 });
    admitBusy('a1', 'a2', 'a3', 'b1');
    admit('c1');
    for (const slow of ['a1', 'a2', 'a3', 'b1']) all.noteReader(slow, true);
    expect(admit('d1')).toEqual([true]);
    all.use('d1');
    expect(closed).toEqual(['c1']);
    // One that stays slow is not the newest for that.
    all.noteReader('a1', true);
    expect(admit('d2')).toEqual([true]);
    all.use('d2');
    expect(closed).toEqual(['c1', 'a1']);
    // Nor for a network that has as many.
    expect(admit('d3')).toEqual([false]);
    all.noteReader('a2', false);
    all.use('a3');
    all.noteReader('b1', false);
    expect(admit('e1')).toEqual([false]);
    expect(closed).toEqual(['c1', 'a1']);
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

  test('a network has its share of them, however many addresses it has', () => {
    const { admit, closed } = places({ max: 10, perAddress: 2, perNetwork: 3 });
    expect(admit('a1', 'a2', 'A1', 'A2', 'b1')).toEqual([true, true, true, false, true]);
    expect(closed).toEqual([]);
  });

  test('idle ones of many addresses in one network are one crowd', () => {
    const { admit, closed } = places({ max: 3 });
    expect(admit('b1', 'a1', 'A1', 'c1')).toEqual([true, true, true, true]);
    expect(closed).toEqual(['a1']);
  });

  test('with nothing but a refusal that waits is the first to make room, for whomever', () => {
    const { all, admit, admitBusy, closed } = places({ max: 4 });
    admit('a1', 'a2');
    admitBusy('b1', 'b2');
    all.holdBack('b1', ['account 1', 'key 1']);
    expect(admit('b3')).toEqual([true]);
    expect(closed).toEqual(['b1']);
    all.use('b3');
    // Next are idle ones, and not those at work.
    expect(admit('c1')).toEqual([true]);
    expect(closed).toEqual(['b1', 'a1']);
  });

  test('refusals that wait hold their part of all at most: of the largest crowd, of its largest caller, the oldest goes', () => {
    const { all, admitBusy, closed } = places({ heldBack: 4 });
    admitBusy('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
    all.holdBack('a1', ['account 1', 'key 1']);
    all.holdBack('a2', ['account 2', 'key 2']);
    all.holdBack('a3', ['account 2', 'key 3']);
    all.holdBack('a4', ['account 2', 'key 3']);
    expect(closed).toEqual([]);
    all.holdBack('a5', ['account 3', 'key 4']);
    expect(closed).toEqual(['a3']);
    all.use('a4');
    all.holdBack('a6', ['account 1', 'key 1']);
    expect([closed, all.open]).toEqual([['a3'], 5]);
  });

  test('whatever happens: no more are open than may be, and none is closed that has work under way', () => {
    const limits = { max: 7, perAddress: 4, perNetwork: 5, heldBack: 3 };
    const change = fc.constantFrom('admit', 'use', 'rest', 'holdBack', 'slow', 'leave');
    const step = fc.tuple(change, fc.nat(4), fc.nat(4));
    const networkOf = (name: string) => String(Number(name.charAt(0)) % 3);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const open = new Map<string, 'idle' | 'busy' | 'held back' | 'slow'>();
        const all = new ConnectionPlaces<string>(limits, (connection) => {
          expect(open.get(connection)).not.toBe('busy');
          open.delete(connection);
        });
        for (const [what, address, n] of steps) {
          const name = `${address}-${n}`;
          if (what === 'admit') {
            if (!open.has(name) && all.admit(name, [networkOf(name), String(address)]))
              open.set(name, 'idle');
          } else if (what === 'slow') {
            if (open.get(name) !== 'busy') continue;
            open.set(name, 'slow');
            all.noteReader(name, true);
          } else if (open.has(name)) {
            if (what === 'leave') open.delete(name);
            else open.set(name, what === 'use' ? 'busy' : what === 'rest' ? 'idle' : 'held back');
            if (what === 'holdBack') all.holdBack(name, [String(n % 2), String(n)]);
            else all[what](name);
          }
          const names = [...open.keys()];
          const ofAddress = names.filter((one) => one.startsWith(`${address}-`));
          expect(ofAddress.length).toBeLessThanOrEqual(limits.perAddress);
          const ofNetwork = names.filter((one) => networkOf(one) === networkOf(name));
          expect(ofNetwork.length).toBeLessThanOrEqual(limits.perNetwork);
          const heldBack = [...open.values()].filter((each) => each === 'held back');
          expect(heldBack.length).toBeLessThanOrEqual(limits.heldBack);
          expect(all.open).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(limits.max);
        }
      }),
    );
  });
});
