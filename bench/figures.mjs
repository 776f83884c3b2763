/** What is said of a list of times. */
export function summary(values) {
  const sorted = Float64Array.from(values).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: sorted.length };
}

/** Of several rounds the median of each figure, so that one disturbed round counts for nothing. */
export function medianOfRounds(rounds) {
  const figures = rounds.map(summary);
  const median = (read) => figures.map(read).sort((a, b) => a - b)[figures.length >> 1] ?? 0;
  return {
    p50: median(({ p50 }) => p50),
    p95: median(({ p95 }) => p95),
    p99: median(({ p99 }) => p99),
    count: figures[0]?.count ?? 0,
    rounds: figures.length,
  };
}

/** Numbers that look like chance and are the same every time (mulberry32, public domain, T. Ettinger). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** How fast this machine is just now: the same scalar work each time, in milliseconds. */
export function calibrate() {
  const startedAt = performance.now();
  let sum = 0;
  for (let i = 0; i < 2e7; i += 1) sum = (Math.imul(sum, 31) + i) | 0;
  return sum === 1 ? 0 : performance.now() - startedAt;
}

export const rounded = (value, digits = 2) => Number(value.toFixed(digits));
