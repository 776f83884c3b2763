/** What an attack should come to and what it came to, a line each. One that hurts makes the process end with 1. */
import { print } from './target.mjs';

export function judge(what, { expected, found, isFine }) {
  print(`${isFine ? 'held ' : 'HURTS'} ${what}: expected ${expected}, found ${found}`);
  if (!isFine) process.exitCode = 1;
}

export function judgeAtMost(what, most, found, unit) {
  judge(what, { expected: `at most ${most} ${unit}`, found: `${found} ${unit}`, isFine: found <= most });
}

/** How many of each, as in "12 × 200, 3 × 429". */
export function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(', ') || 'none';
}
