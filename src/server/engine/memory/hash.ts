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

function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (half ^ (half >>> 13)) >>> 0;
}
