/** 32 bullets and the last four characters. */
export function maskKey(lastFour: string): string {
  return '•'.repeat(32) + lastFour;
}
