import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteAnswer, noteFailure, onReturn, reachability, subscribeToReachability } from './reachability.ts';
import { RestError } from './rest-error.ts';

let isUp = false;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  isUp = false;
  asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response('ok');
  });
});

afterEach(async () => {
  isUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('asks less and less often until the server answers, and says so once', async () => {
  const heard = vi.fn();
  const back = vi.fn();
  const forget = [subscribeToReachability(heard), onReturn(back)];
  noteFailure(new TypeError('Failed to fetch'));
  noteFailure(new TypeError('Failed to fetch'));
  expect(reachability()).toBe('unreachable');
  expect(heard).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(2);
  expect(back).not.toHaveBeenCalled();
  isUp = true;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(reachability()).toBe('reachable');
  expect(back).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
  for (const stop of forget) stop();
});

it('hears of it by whatever is answered meanwhile, and asks no more', async () => {
  const heard = vi.fn();
  const back = vi.fn();
  const forget = [subscribeToReachability(heard), onReturn(back)];
  noteAnswer();
  expect(heard).not.toHaveBeenCalled();
  noteFailure(new TypeError('Failed to fetch'));
  noteAnswer();
  expect(reachability()).toBe('reachable');
  expect(back).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  for (const stop of forget) stop();
});

it('asks again when a connection hangs', async () => {
  const back = vi.fn();
  const forget = onReturn(back);
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    asked += 1;
    if (isUp) return Promise.resolve(new Response('ok'));
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new TypeError('Failed to fetch'))),
    );
  });
  noteFailure(new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(asked).toBe(1);
  isUp = true;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(asked).toBe(2);
  expect(back).toHaveBeenCalledTimes(1);
  forget();
});

it.each([
  ['an answer that refuses', new RestError(400, 'Bad Request', ''), 'reachable'],
  ['a fault of the console', new Error('x is undefined'), 'reachable'],
  ['a proxy’s page', new RestError(502, 'Bad Gateway', '<html>'), 'unreachable'],
])('%s: %o', (_, error, expected) => {
  noteFailure(error);
  expect(reachability()).toBe(expected);
});

it('without a network nothing is asked; the network’s return is the server’s', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const back = vi.fn();
  const forget = [subscribeToReachability(() => {}), onReturn(back)];
  expect(reachability()).toBe('offline');
  noteFailure(new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  online.mockRestore();
  isUp = true;
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(back).toHaveBeenCalledTimes(1);
  for (const stop of forget) stop();
});
