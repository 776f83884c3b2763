import { beforeEach, expect, test } from 'vitest';
import { CountedLines } from './counted-lines.ts';
import { createLog } from './log.ts';

let written: Record<string, unknown>[];
let lines: CountedLines;
beforeEach(() => {
  written = [];
  lines = new CountedLines(
    createLog('info', (line) => written.push(JSON.parse(line) as never)),
    'refused',
  );
  return () => lines.stop();
});

const note = (name: string, group = 'a network', kind = 'a kind') =>
  lines.note({ name, group, kind, requestId: `r-${name}`, fields: { of: name } });
const timesOf = () => written.reduce((sum, { times }) => sum + Number(times ?? 1), 0);

test('the first of a name is a line at once, and what follows one line that says how many there were', () => {
  const counts = Array.from({ length: 100 }, () => note('a'));
  note('b');
  expect([counts[0], counts[1], counts[99]]).toEqual([0, 1, 99]);
  expect(written).toMatchObject([
    { message: 'refused', of: 'a', requestId: 'r-a' },
    { of: 'b', requestId: 'r-b' },
  ]);
  lines.flush();
  expect(written.slice(2)).toMatchObject([{ message: 'refused', of: 'a', times: 99 }]);
  expect(written[2]).not.toHaveProperty('requestId');
});

test('it goes on with one line at a time while a flood lasts, and begins anew after it', () => {
  note('a');
  for (let second = 0; second < 3; second += 1) {
    note('a');
    note('a');
    lines.flush();
  }
  expect(written.map(({ times }) => times)).toEqual([undefined, 2, 2, 2]);
  lines.flush();
  note('a');
  expect(written).toHaveLength(5);
  expect(written[4]).toMatchObject({ requestId: 'r-a' });
});

test('however many names there are, so many lines tell of them, of those with most first', () => {
  for (let i = 0; i < 5_000; i += 1) note(`name ${i}`);
  for (let i = 0; i < 50; i += 1) note('name 4000');
  expect(written).toHaveLength(100);
  lines.flush();
  expect(written).toHaveLength(201);
  expect(written[100]).toMatchObject({ of: 'name 4000', times: 51 });
  expect(written[200]).toMatchObject({ of: '4800 further callers' });
  expect(timesOf()).toBe(5_050);
});

test('beyond 10,000 names further ones are counted by where they come from, and beyond as many of these together', () => {
  for (let i = 0; i < 10_000; i += 1) note(`name ${i}`);
  for (let i = 0; i < 50; i += 1) note(`further ${i}`, 'one network');
  expect(note('further', 'one network')).toBe(51);
  expect(note('name 3'), 'a name that is held is counted for itself').toBe(1);
  for (let i = 1; i < 10_000; i += 1) note(`more ${i}`, `network ${i}`);
  for (let i = 0; i < 60; i += 1) note(`most ${i}`, `yet another network ${i}`);
  lines.flush();
  const told = written.filter(({ of, kind }) => kind !== undefined || String(of).includes('further'));
  expect(told).toMatchObject([
    { of: 'many callers', kind: 'a kind', times: 60 },
    { of: 'all of one network', kind: 'a kind', times: 51 },
    { of: expect.stringMatching(/^\d+ further callers$/) },
  ]);
  expect(timesOf()).toBe(10_000 + 51 + 1 + 9_999 + 60);
});

test('what is not written yet is written when it ends', () => {
  note('a');
  note('a');
  lines.stop();
  expect(written).toHaveLength(2);
});
