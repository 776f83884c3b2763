/** Vectors without structure, and vectors around centres, the same in every run. */
export function madeVectors(kind: 'uniform' | 'clustered', count: number, dimension: number): Float32Array[] {
  const next = normals(7);
  const centres = Array.from({ length: 50 }, () => Float32Array.from({ length: dimension }, next));
  return Array.from({ length: count }, (_, i) => {
    const centre = centres[(i * 31) % centres.length];
    return Float32Array.from({ length: dimension }, (__, c) =>
      kind === 'uniform' ? next() : (centre?.[c] ?? 0) + 0.4 * next(),
    );
  });
}

/** Normally distributed (the sum of uniform ones). */
export function normals(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => uniform() + uniform() + uniform() + uniform() - 2;
}
