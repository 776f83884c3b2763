import { expect, test } from 'vitest';
import { Preemption } from './preemption.ts';

test('both sides see which call wants its turn, one at a time', () => {
  const host = new Preemption();
  const thread = new Preemption(host.memory);
  expect(thread.isRequested).toBe(false);
  host.request(1);
  host.request(2);
  expect(thread.isRequested).toBe(true);
  thread.end(2);
  expect(host.isRequested).toBe(true);
  thread.end(1);
  expect(host.isRequested).toBe(false);
});

test('calls of any number want', () => {
  const preemption = new Preemption();
  for (const id of [0, 1, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 40]) {
    preemption.request(id);
    expect(preemption.isRequested).toBe(true);
    preemption.end(id);
    expect(preemption.isRequested).toBe(false);
  }
});
