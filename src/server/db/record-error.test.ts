import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toRecordError } from './record-error.ts';

const withCode = (code: string, more = {}) => Object.assign(new Error('from the driver'), { code, ...more });

test.each(['CONNECTION_CLOSED', 'CONNECT_TIMEOUT', 'ECONNREFUSED', '57P01', '57P03', '08006', '53300'])(
  '%s means that the database is away',
  (code) => {
    expect(toRecordError(withCode(code))).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  },
);

test('a full disk names storage', () => {
  const error = toRecordError(withCode('53100'));
  expect(error?.code).toBe('UNAVAILABLE');
  expect(error?.message).toContain('storage');
});

test('looks through the wrappers and keeps what it was given as the cause', () => {
  const wrapped = new DrizzleQueryError('select 1', [], withCode('CONNECTION_ENDED'));
  const outer = new Error('outer', { cause: wrapped });
  expect(toRecordError(outer)?.cause).toBe(outer);
});

test.each(['23505', '42P01', '22021'])('%s is the statement’s own fault', (code) => {
  expect(toRecordError(withCode(code))).toBeNull();
});

test('a missing file is not a missing database, a missing socket is', () => {
  expect(toRecordError(withCode('ENOENT', { syscall: 'open' }))).toBeNull();
  expect(toRecordError(withCode('ENOENT', { syscall: 'connect' }))?.code).toBe('UNAVAILABLE');
});

test.each([null, undefined, 'CONNECTION_CLOSED', new Error('plain')])(
  '%s is nothing of the record',
  (value) => {
    expect(toRecordError(value)).toBeNull();
  },
);
