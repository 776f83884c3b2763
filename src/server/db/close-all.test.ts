import { expect, test } from 'vitest';
import { closeAll } from './close-all.ts';

test('all are closed in their order, and the first error is told', async () => {
  const closed: string[] = [];
  const closer = (name: string, error?: Error) => async () => {
    closed.push(name);
    if (error) throw error;
  };
  const first = new Error('first');
  const closing = closeAll([closer('a'), closer('b', first), closer('c', new Error('second')), closer('d')]);
  await expect(closing).rejects.toBe(first);
  expect(closed).toEqual(['a', 'b', 'c', 'd']);
  await closeAll([closer('e')]);
});
