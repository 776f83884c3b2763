/** So many characters of a text, to the end of a word where one ends in their second half. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  return `${text.slice(0, space > max / 2 ? space : max)}…`;
}
