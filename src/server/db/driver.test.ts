import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { createDriver, type DriverOptions } from './driver.ts';

test('a connection may take five seconds to be made, or what the URL says; on this machine a minute', () => {
  const secondsOf = (target: DriverOptions['target']) =>
    createDriver({ target, max: 1, log: createLog('silent') }).options.connect_timeout;
  expect(secondsOf({ url: 'postgres://host/name' })).toBe(5);
  expect(secondsOf({ url: 'postgres://host/name?sslmode=require&connect_timeout=70' })).toBe(70);
  expect(secondsOf({ socketPath: '/tmp/none/.s.PGSQL.5432' })).toBe(60);
});
