import { expect, test } from 'vitest';
import { hashesAtOnce } from './passwords.ts';

test('hashing leaves a core to others where there is more than one, and a thread of the pool', () => {
  expect([1, 2, 3, 4, 8, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 3, 3, 3]);
});
