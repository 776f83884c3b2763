/** A text that nobody else has. `crypto.randomUUID` is missing where the console is served over plain HTTP from another machine. */
export function randomKey(): string {
  const parts = [...crypto.getRandomValues(new Uint32Array(4))];
  return parts.map((part) => part.toString(36).padStart(7, '0')).join('');
}
