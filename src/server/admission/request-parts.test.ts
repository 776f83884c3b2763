import { expect, test } from 'vitest';
import { partsOf, pauseByParts } from './request-parts.ts';

/** A request whose ticket is watched. */
function request() {
  const { signal } = new AbortController();
  const steps: string[] = [];
  const pause = () => {
    steps.push('paused');
    return () => void steps.push('goes on');
  };
  pauseByParts(signal, { pause });
  return { parts: partsOf(signal), same: () => partsOf(signal), steps };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

test('a request is paused while all of its parts wait, and no longer', async () => {
  const { parts, same, steps } = request();
  expect(same()).toBe(parts);
  const [first, second, work] = [gate(), gate(), gate()];
  const waits = parts.run(() => parts.wait(first.opened));
  expect(steps).toEqual(['paused']);
  const both = parts.run(async () => {
    await work.opened;
    await parts.wait(second.opened);
  });
  expect(steps).toEqual(['paused', 'goes on']);
  work.open();
  await expect.poll(() => steps).toEqual(['paused', 'goes on', 'paused']);
  second.open();
  await both;
  // The other one still waits, alone now.
  expect(steps.slice(3)).toEqual(['goes on', 'paused']);
  first.open();
  await waits;
  expect(steps.slice(5)).toEqual(['goes on']);
});

test('what fails while it waits goes on, too', async () => {
  const { parts, steps } = request();
  const failed = parts.run(() => parts.wait(Promise.reject(new Error('too late'))));
  await expect(failed).rejects.toThrow('too late');
  expect(steps).toEqual(['paused', 'goes on']);
});

test('without a ticket nothing is paused', async () => {
  const parts = partsOf(new AbortController().signal);
  expect(await parts.run(() => parts.wait(Promise.resolve(1)))).toBe(1);
  expect(await partsOf(undefined).run(async () => 2)).toBe(2);
});
