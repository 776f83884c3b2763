import { fold, foldWord, streamSafe } from '#server/engine/search-index.ts';

/**
 * Arabic is written without its short vowels, so these are dropped, as is the stroke that makes a word longer. A hamza is a letter, also
 * where it sits on another one: `فأر` is a mouse and `فار` boiled. Letters of Persian keyboards that look like Arabic ones are those.
 */
export function foldArabic(word: string): string {
  const whole = streamSafe(word).normalize('NFKC');
  if (!arabic.test(whole)) return foldWord(word);
  const letters = fold(whole).replace(dropped, '').replaceAll('ی', 'ي').replaceAll('ک', 'ك').normalize('NFC');
  // What made it Arabic may have been a sign of recitation.
  return arabic.test(letters) ? letters : foldWord(letters);
}

/** A symbol of the script is dropped from any word. */
const arabic = /(?=[\p{L}\p{N}])\p{sc=Arab}/u;

const dropped =
  /[^\p{L}\p{N}\p{M}]+|[\u0610-\u061a\u0640\u064b-\u0652\u0657-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/gu;

/**
 * Without the article and the conjunctions and prepositions that are written with it: the prefixes of Larkey, Ballesteros and Connell, "Light
 * stemming for Arabic information retrieval" (2007), but for the lone `و`, which begins words of its own. Suffixes stay: Snowball's stemmer
 * makes `أعلام` (flags) and `إعلام` (media) one.
 */
export function stemArabic(word: string): string {
  const prefix = prefixes.find((each) => word.startsWith(each));
  const rest = word.slice(prefix?.length ?? 0);
  return rest.length >= lettersMin ? rest : word;
}

const prefixes = ['وال', 'فال', 'بال', 'كال', 'لل', 'ال'];
const lettersMin = 3;
