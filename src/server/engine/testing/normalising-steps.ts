import { vi } from 'vitest';

const runOfMarks = /\p{M}{2,}/gu;

/**
 * What a piece of work has the runtime normalise, in steps: a unit is one, and a run of marks, which is sorted, as many as the square of its
 * length. `largest` is the longest text handed over at once.
 */
export function normalisingSteps(work: () => void): { steps: number; largest: number } {
  const normalise = String.prototype.normalize;
  let steps = 0;
  let largest = 0;
  const spy = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
    const text = String(this);
    largest = Math.max(largest, text.length);
    steps += text.length;
    for (const [run] of text.matchAll(runOfMarks)) steps += run.length ** 2;
    return normalise.call(text, form as 'NFC');
  });
  try {
    work();
  } finally {
    spy.mockRestore();
  }
  return { steps, largest };
}
