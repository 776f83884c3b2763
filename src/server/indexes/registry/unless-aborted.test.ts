import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

it('settles as the promise does, and leaves nothing at a signal that lasts longer', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2);
});

it('rejects with the reason of the signal, whether it fires before or while it waits', async () => {
  const caller = new AbortController();
  const waiting = unlessAborted(new Promise(() => {}), caller.signal);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(unlessAborted(new Promise(() => {}), caller.signal)).rejects.toThrow('gone');
});
