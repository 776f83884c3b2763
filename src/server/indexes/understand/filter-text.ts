/** Between backticks everything is as it is, and two of them are one. */
function inBackticks(text: string): string {
  return `\`${text.replaceAll('`', '``')}\``;
}

/** A field's path as a filter names it. */
export function pathText(path: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(path) ? path : inBackticks(path);
}

/** A text as a filter compares it. */
export function valueText(value: string): string {
  return /^[\p{L}\p{N}]+$/u.test(value) ? value : inBackticks(value);
}
