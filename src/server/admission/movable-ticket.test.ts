import { expect, test } from 'vitest';
import { type Admission, createAdmission } from './admission.ts';
import { enterMovable } from './movable-ticket.ts';

const settings = {
  requestsPerCaller: 1,
  requestsPerWorkspace: 9,
  requestsAtOnce: 9,
  searchDelayMs: 0,
  searchWorkers: 1,
};
const me = { tenant: 't', workspace: 'w', caller: 'me' };

const isFree = (admission: Admission, way: keyof Admission) => admission[way].findRejection(me) === null;

test('a request that waits for somebody else gives back its place among searches', () => {
  const admission = createAdmission(settings);
  const ticket = enterMovable(admission, 'reads', me);
  ticket.begin();
  expect([isFree(admission, 'reads'), isFree(admission, 'streams')]).toEqual([false, true]);
  ticket.moveTo('streams');
  expect([isFree(admission, 'reads'), isFree(admission, 'streams')]).toEqual([true, false]);
  ticket.leave();
  expect([isFree(admission, 'reads'), isFree(admission, 'streams')]).toEqual([true, true]);
  // Its caller is gone: nothing is taken that nobody would give back.
  ticket.moveTo('streams');
  expect(isFree(admission, 'streams')).toBe(true);
});

test('where there is no place it stays where it was', () => {
  const admission = createAdmission(settings);
  const other = enterMovable(admission, 'streams', me);
  const ticket = enterMovable(admission, 'reads', me);
  expect(() => ticket.moveTo('streams')).toThrow(/under way/);
  expect(isFree(admission, 'reads')).toBe(false);
  ticket.leave();
  expect([isFree(admission, 'reads'), isFree(admission, 'streams')]).toEqual([true, false]);
  other.leave();
  expect(isFree(admission, 'streams')).toBe(true);
});
