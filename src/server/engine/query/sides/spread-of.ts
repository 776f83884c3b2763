import type { Spread } from '../../merged-types.ts';

/** `weight`: how many documents each similarity stands for; −Infinity stands for none. */
export function spreadOf(similarities: Float64Array, weight: number): Spread {
  // In the order of size, so that the order of documents does not show in the last digit.
  const known = similarities.filter((similarity) => similarity > Number.NEGATIVE_INFINITY).sort();
  const [least = 0] = known;
  // Differences from one of them, so that equal ones have no spread.
  let sum = 0;
  for (const similarity of known) sum += similarity - least;
  const mean = known.length === 0 ? 0 : least + sum / known.length;
  let squares = 0;
  for (const similarity of known) squares += (similarity - mean) ** 2;
  return { count: known.length * weight, mean, squares: squares * weight };
}

/** Of several indexes, as of one with all their documents (T. Chan, G. Golub, R. LeVeque, "Updating formulae …", 1979). */
export function joinedSpread(all: Spread[]): { count: number; mean: number; deviation: number } {
  const count = all.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return { count, mean: Number.POSITIVE_INFINITY, deviation: 0 };
  const [first] = all;
  const base = first?.mean ?? 0;
  const mean = base + all.reduce((sum, each) => sum + each.count * (each.mean - base), 0) / count;
  const squares = all.reduce((sum, each) => sum + each.squares + each.count * (each.mean - mean) ** 2, 0);
  // In single precision the digits go that depend on how documents are shared out.
  return { count, mean: Math.fround(mean), deviation: Math.fround(Math.sqrt(squares / count)) };
}
