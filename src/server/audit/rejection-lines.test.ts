import { beforeEach, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import { type RejectionLine, RejectionLines } from './rejection-lines.ts';

let written: Record<string, unknown>[];
let lines: RejectionLines;
beforeEach(() => {
  written = [];
  lines = new RejectionLines(createLog('info', (line) => written.push(JSON.parse(line) as never)));
  return () => lines.stop();
});

const note = (more: Partial<RejectionLine> = {}) =>
  lines.note({
    requestId: 'r',
    action: 'request',
    code: 'TOO_MANY_REQUESTS',
    reason: 'too much',
    actor: { kind: 'key', id: 7 },
    workspaceId: 1,
    address: '192.0.2.1',
    ...more,
  });

it('tells who was refused what and why', () => {
  note();
  expect(written).toMatchObject([
    {
      message: 'refused',
      requestId: 'r',
      action: 'request',
      code: 'TOO_MANY_REQUESTS',
      reason: 'too much',
      actor: 'key 7',
      workspaceId: 1,
      address: '192.0.2.1',
    },
  ]);
});

it('counts like with like: the act, the code, who it was and from where', () => {
  for (let times = 0; times < 2; times += 1) {
    note();
    note({ action: 'search.keyword' });
    note({ code: 'FORBIDDEN' });
    note({ actor: { kind: 'user', id: 7 } });
    note({ address: '192.0.2.2' });
  }
  expect(written).toHaveLength(5);
  lines.flush();
  expect(written.slice(5).map(({ times }) => times)).toEqual([1, 1, 1, 1, 1]);
});

it('takes the addresses of one customer for one', () => {
  for (let last = 0; last < 50; last += 1) note({ address: `2001:db8:1:2::${last}` });
  expect(written).toHaveLength(1);
});

it('cuts what was sent with the request', () => {
  note({ reason: 'x'.repeat(16_000), address: 'y'.repeat(16_000) });
  expect(written).toMatchObject([{ reason: `${'x'.repeat(400)}…`, address: `${'y'.repeat(64)}…` }]);
});
