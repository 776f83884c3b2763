/**
 * When two texts are the same. `fold` forgives case and Unicode form, nothing more: filters, facets and sorting see texts so (`4.5` and `45`
 * stay different, `STRASSE` equals `straße`). `foldWord` builds on it for words, and forgives compatibility forms and accents too.
 * Linear in the text, whatever it holds: `stream-safe.ts` says how.
 */
import { joinsBefore, normalisablePieces, streamSafe } from './stream-safe.ts';

const isWordUnit = /[\p{L}\p{N}]/u;
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
  return foldByUnit(word) ?? foldWhole(word);
}

/** By UTF-16 unit: the one it becomes in any word; `FAR`: its neighbours matter, or it becomes several; 0: it was not met yet. */
const foldedUnits = new Uint16Array(0x10000);
const FAR = 0xffff;

/** Units of the word that is folded. */
const scratch = new Uint16Array(64);

/** Null: a unit is `FAR`. The whole way takes ten times as long, and most words of any script need it not. */
function foldByUnit(word: string): string | null {
  if (word.length > scratch.length) return null;
  let isFolded = true;
  for (let i = 0; i < word.length; i += 1) {
    const unit = word.charCodeAt(i);
    const folded = foldedUnits[unit] || foldUnit(unit);
    if (folded === FAR) return null;
    if (folded !== unit) isFolded = false;
    scratch[i] = folded;
  }
  return isFolded ? word : Reflect.apply(String.fromCharCode, null, scratch.subarray(0, word.length));
}

function foldUnit(unit: number): number {
  const character = String.fromCharCode(unit);
  const folded = foldWhole(character);
  const isAlone = folded.length === 1 && isWordUnit.test(character);
  const isNear = isAlone && !joinsBefore(character, 0) && !joinsBefore(folded, 0);
  const result = isNear ? folded.charCodeAt(0) : FAR;
  foldedUnits[unit] = result;
  return result;
}

function foldWhole(word: string): string {
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
