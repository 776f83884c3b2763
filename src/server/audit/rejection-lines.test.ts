import { beforeEach, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import { RejectionLines } from './rejection-lines.ts';

let written: Record<string, unknown>[];
let lines: RejectionLines;
beforeEach(() => {
  written = [];
  lines = new RejectionLines(createLog('info', (line) => written.push(JSON.parse(line) as never)));
  return () => lines.stop();
});

const note = (id: number, address = 'here') =>
  lines.note({
    requestId: `r${id}`,
    action: 'request',
    code: 'TOO_MANY_REQUESTS',
    reason: 'too much',
    actor: { kind: 'key', id },
    workspaceId: 1,
    address,
  });

it('writes the first denial of each caller at once, and how many followed', () => {
  for (let i = 0; i < 100; i += 1) note(7);
  note(8);
  expect(written).toMatchObject([
    { message: 'refused', actor: 'key 7', requestId: 'r7', address: 'here' },
    { actor: 'key 8', requestId: 'r8' },
  ]);
  lines.flush();
  expect(written.slice(2)).toMatchObject([{ message: 'refused', actor: 'key 7', times: 99 }]);
  expect(written[2]).not.toHaveProperty('requestId');
});

it('goes on with one line at a time while a flood lasts, and begins anew after it', () => {
  note(7);
  for (let second = 0; second < 3; second += 1) {
    note(7);
    note(7);
    lines.flush();
  }
  expect(written.map(({ times }) => times)).toEqual([undefined, 2, 2, 2]);
  lines.flush();
  note(7);
  expect(written).toHaveLength(5);
  expect(written[4]).toMatchObject({ requestId: 'r7' });
});

it('holds a thousand callers; further ones are counted together', () => {
  for (let i = 0; i < 5_000; i += 1) note(7, `address ${i}`);
  expect(written).toHaveLength(1_001);
  lines.flush();
  expect(written.slice(1_001)).toMatchObject([{ of: 'many callers', times: 3_999 }]);
});

it('counts a caller that it holds for itself, also while it holds no more', () => {
  for (let i = 0; i < 1_001; i += 1) note(7, `address ${i}`);
  note(7, 'address 3');
  lines.flush();
  expect(written.slice(1_001)).toMatchObject([{ address: 'address 3', times: 1 }]);
});

it('writes what is not written yet when it ends', () => {
  note(7);
  note(7);
  lines.stop();
  expect(written).toHaveLength(2);
});
