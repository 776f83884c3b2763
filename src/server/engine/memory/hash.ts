/** FNV-1a with a final mix, because a table takes the low bits. */
const START = 0x811c9dc5;
const PRIME = 0x01000193;

export function hashBytes(bytes: Uint8Array): number {
  let hash = START;
  for (let i = 0; i < bytes.length; i += 1) hash = Math.imul(hash ^ (bytes[i] ?? 0), PRIME);
  return mixed(hash);
}

/** Over code units. */
export function hashText(text: string): number {
  let hash = START;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
  return mixed(hash);
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Over the first `count` numbers, equal ones alike. */
export function hashNumbers(numbers: Float64Array, count: number): number {
  let hash = START;
  for (let i = 0; i < count; i += 1) {
    // So that −0 is 0.
    double[0] = (numbers[i] ?? 0) + 0;
    hash = Math.imul(hash ^ (halves[0] ?? 0), PRIME);
    // The low bits of a product say nothing of high ones, where whole numbers differ.
    hash = Math.imul((hash >>> 15) ^ hash ^ (halves[1] ?? 0), PRIME);
    hash ^= hash >>> 15;
  }
  return mixed(hash);
}

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (half ^ (half >>> 13)) >>> 0;
}
