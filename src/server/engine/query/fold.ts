/**
 * How filters, facets and sorting see text: canonical composition and full case folding, nothing more. `4.5` and `45` stay
 * different, `É` written as one or two code points is the same, `STRASSE` equals `straße`.
 */

const notAscii = /[\u0080-\uffff]/;
export const isAscii = (text: string): boolean => !notAscii.test(text);

/** The same text for every spelling that differs only in case or in Unicode form. Length may change. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Upper first: ß becomes SS, and the final sigma is undone, which lower-casing alone would tell apart.
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Runs of letters, marks and digits, as they stand. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Code unit order: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? character);
}
