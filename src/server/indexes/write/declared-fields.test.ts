import { expect, test } from 'vitest';
import { checkDeclaredFields } from './declared-fields.ts';

const check = (when: unknown) =>
  checkDeclaredFields([{ name: 'when', type: 'date', required: true }], { when });

test.each([
  '2024-02-30',
  '2023-02-29',
  '2024-04-31T10:00:00Z',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '24:00',
])('%s, which is on no calendar, is not taken for a date', (when) => {
  expect(() => check(when)).toThrow('when: must be an ISO 8601 date or Unix seconds');
});

test.each([
  '2024-02-29',
  '2024-04-30 10:00',
  '2024-12-31T23:59:59.123+05:30',
  '0001-01-01',
  1_700_000_000,
  -1,
])('%s is a date', (when) => {
  expect(() => check(when)).not.toThrow();
});
