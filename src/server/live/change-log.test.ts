import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChangeLog } from './change-log.ts';

const changeOf = (id: number) => ({ workspaceId: 1, noun: 'documents', id, requestId: null });

test('a listener that is interrupted at any time and goes on from where it was misses nothing and hears nothing twice', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('change' as const) },
    { weight: 1, arbitrary: fc.constantFrom('leave' as const, 'come back' as const, 'break off' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, changesMax) => {
      const log = new ChangeLog(changesMax);
      let made = 0;
      let heard: number[] = [];
      let missed: number[] = [];
      let { position } = log;
      const listen = () =>
        log.listen((logged) => {
          if (logged === null) {
            position = log.position;
            heard = [];
            return;
          }
          position = logged.position;
          heard.push(logged.change.id ?? 0);
        });
      let stop: (() => void) | null = listen();
      let isBroken = false;
      const expected: number[] = [];
      for (const each of steps) {
        if (each === 'change') {
          made += 1;
          expected.push(made);
          if (!stop) missed.push(made);
          log.append(changeOf(made));
        }
        if (each === 'leave') {
          stop?.();
          stop = null;
        }
        if (each === 'break off') {
          log.breakOff();
          expected.length = 0;
          if (!stop) isBroken = true;
        }
        if (each !== 'come back' || stop) continue;
        const since = log.since(position);
        expect(since === null, 'all or nothing').toBe(isBroken || missed.length > changesMax);
        if (since === null) {
          heard = [];
          expected.length = 0;
        } else heard.push(...since.map(({ change }) => change.id ?? 0));
        position = log.position;
        missed = [];
        isBroken = false;
        stop = listen();
      }
      const all = stop ? [] : (log.since(position) ?? 'not known');
      if (all === 'not known') return;
      expect([...heard, ...all.map(({ change }) => change.id)]).toEqual(expected);
    }),
  );
});

test('keeps so many changes and no more', () => {
  const log = new ChangeLog(3);
  const { position } = log;
  for (let id = 1; id <= 3; id += 1) log.append(changeOf(id));
  expect(log.since(position)?.map(({ change }) => change.id)).toEqual([1, 2, 3]);
  log.append(changeOf(4));
  expect(log.since(position)).toBeNull();
  expect(log.since('of another server')).toBeNull();
  expect(new Set([position, log.position, new ChangeLog(3).position]).size).toBe(3);
});
