import { formatNumber } from '#client/lib/format.ts';
import { languageName } from '#client/lib/language-name.ts';

/** What the texts of a collection say of their language. */
export function detectedText(language: string, documents: number): string {
  return `Detected: ${languageName(language)} (from ${formatNumber(documents)} documents)`;
}
