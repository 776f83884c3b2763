/** Characters that a terminal acts on, or by which a line reads in another order than it is: controls, format characters, line and paragraph ends. */
const acting = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** What a tenant has written, as it can be printed where an operator reads. */
export function forTerminal(text: string): string {
  return text.replace(acting, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
