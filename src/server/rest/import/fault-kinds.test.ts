import { expect, test } from 'vitest';
import { FaultKinds } from './fault-kinds.ts';

const failed = (index: number, error: string) => ({
  index,
  id: null,
  success: false,
  code: 'BAD_REQUEST',
  error,
});

test('a cause is told in the words of its rows while they are the same, and without what differs once they are not', () => {
  const kinds = new FaultKinds();
  const point = 'at: must be a point: {"lat": -90 to 90}';
  kinds.add(failed(0, point));
  kinds.add(failed(1, point));
  expect(kinds.list()).toEqual([{ code: 'BAD_REQUEST', message: point, count: 2, rows: [0, 1] }]);
  kinds.add(failed(2, 'at: must be a point: {"lng": -180 to 180}'));
  const message = 'at: must be a point: {"…": -N to N}';
  expect(kinds.list()).toEqual([{ code: 'BAD_REQUEST', message, count: 3, rows: [0, 1, 2] }]);
  for (const retry_after of [2, 5, 1]) kinds.add({ ...failed(3, 'away'), code: 'UNAVAILABLE', retry_after });
  expect(kinds.list()[1]).toMatchObject({ message: 'away', count: 3, retry_after: 5 });
});
