import { fold, streamSafe } from '#server/engine/search-index.ts';

/**
 * Turkish has two letters i, and its letters with marks are no variants of those without: `ılık` is lukewarm and `ilik` marrow, `kar` snow and
 * `kâr` profit. So nothing is dropped but case.
 */
export function foldTurkish(word: string): string {
  const lower = streamSafe(word).normalize('NFKC').replaceAll('I', 'ı').replaceAll('İ', 'i');
  // A way over capitals, as `fold` takes it, would make both letters one.
  return lower.split('ı').map(fold).join('ı').replace(notInWords, '').normalize('NFC');
}

const notInWords = /[^\p{L}\p{N}\p{M}]+/gu;
