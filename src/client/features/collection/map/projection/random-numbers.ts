/** Numbers from 0 to 1, below 1, the same for the same seed: xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
