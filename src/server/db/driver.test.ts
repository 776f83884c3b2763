import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { createDriver } from './driver.ts';

test('a connection may take five seconds to be made, or what the URL says', () => {
  const secondsOf = (url: string) =>
    createDriver({ target: { url }, max: 1, log: createLog('silent') }).options.connect_timeout;
  expect(secondsOf('postgres://host/name')).toBe(5);
  expect(secondsOf('postgres://host/name?sslmode=require&connect_timeout=60')).toBe(60);
});
