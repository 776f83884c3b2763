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

/** Vectors around some centres of few components, of any lengths: they lie in directions, but not all in the same. */
export function madeTopics(count: number, dimension: number): Float32Array[] {
  const next = normals(11);
  const some = (size: number) => Float32Array.from({ length: size }, next);
  const axes = Array.from({ length: 12 }, () => some(dimension));
  const centres = Array.from({ length: 60 }, () => some(axes.length));
  return Array.from({ length: count }, (_, i) => {
    const place = some(axes.length).map((value, c) => 0.5 * value + (centres[(i * 31) % 60]?.[c] ?? 0));
    const length = 1 + 0.2 * next();
    return Float32Array.from({ length: dimension }, (__, c) => {
      let sum = 0.25 * next();
      for (let axis = 0; axis < axes.length; axis += 1) sum += (place[axis] ?? 0) * (axes[axis]?.[c] ?? 0);
      return sum * length;
    });
  });
}
