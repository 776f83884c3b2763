/**
 * When two texts are the same. `fold` forgives case and Unicode form, nothing more: filters, facets and sorting see texts so (`4.5` and `45`
 * stay different, `STRASSE` equals `straße`). `foldWord` builds on it for words, and forgives compatibility forms and accents too.
 * Linear in the text, whatever it holds: `stream-safe.ts` says how.
 */
import { normalisablePieces, streamSafe } from './stream-safe.ts';

const notAscii = /[\u0080-\uffff]/;
export const isAscii = (text: string): boolean => !notAscii.test(text);

/** The same text for every spelling that differs only in case or in Unicode form. Length may change. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const piece of normalisablePieces(text)) folded += foldPiece(piece);
  return folded;
}

/** The folded text up to beyond its first `units` units, or all of it; no more of the text is read than that takes. */
export function foldBeginning(text: string, units: number): { folded: string; isWhole: boolean } {
  let folded = '';
  for (const piece of normalisablePieces(text)) {
    if (folded.length > units) return { folded, isWhole: false };
    folded += foldPiece(piece);
  }
  return { folded, isWhole: true };
}

function foldPiece(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // By way of upper case: ß becomes SS, and the final sigma is undone, which lower-casing alone would tell apart; ẞ is upper case already.
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** A letter of the scripts in which accents are dropped, and its marks. */
const ACCENTED = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}])\p{M}+/gu;
const CARRIER = /[^\p{L}\p{N}\p{M}]+|\u0640+/gu;
/** Letters that Unicode does not decompose but people type either way. */
const spelledOut: Record<string, string> = { æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th' };
const SPELLED_OUT = /[æœøđðłþ]/g;

/** One form for every way to write the same word. */
export function foldWord(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  return (
    fold(streamSafe(word).normalize('NFKC'))
      .normalize('NFD')
      // Presentation forms decompose into a space or a tatweel that carries the mark: gone first, or the mark would stay without a letter.
      .replace(CARRIER, '')
      .replace(ACCENTED, '$1')
      .replace(SPELLED_OUT, (letter) => spelledOut[letter] ?? letter)
      .normalize('NFC')
  );
}

/**
 * The part of a text's beginning, folded, that does not depend on how the text goes on: composition reaches back to the last letter before a
 * run of marks, or over a Hangul syllable (three code points).
 */
export function stableBeginning(head: string): string {
  return fold(head.replace(/.{0,3}\p{M}*$/su, ''));
}

/** Runs of letters, marks and digits, as they stand. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
