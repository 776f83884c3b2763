/**
 * A name or value as a filter writes it: numbers, booleans and single words stand as they are; all else between backticks, where only the
 * backtick is special.
 */
export function quoted(text: string): string {
  return /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u.test(text) && !text.includes('..')
    ? text
    : `\`${text.replaceAll('`', '``')}\``;
}
