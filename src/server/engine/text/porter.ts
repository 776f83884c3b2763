/**
 * The Porter stemmer: cuts English words to a stem that their inflections share (`relational`, `relate` → `relat`).
 * Words that are not three or more letters a to z come back as they are, so other languages and codes keep their form.
 * Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the author's two later changes
 * (`bli` for `abli`, and `logi`) as in his reference implementation.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

/** Suffix, replacement. The first suffix that fits decides, so a longer one stands before its own ending. */
type Rule = readonly [suffix: string, replacement: string];

const step2Rules: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const step3Rules: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const step4Suffixes =
  'al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize'.split(' ');

function step1a(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('sses') || word.endsWith('ies') ? word.slice(0, -2) : word.slice(0, -1);
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (suffix === 0) return word;
  const base = word.slice(0, -suffix);
  if (!hasVowel(base)) return word;
  if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`;
  if (endsWithDoubleConsonant(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsWithShortSyllable(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function step2(word: string): string {
  return replaceFirst(word, step2Rules);
}

function step3(word: string): string {
  return replaceFirst(word, step3Rules);
}

function step4(word: string): string {
  const suffix = step4Suffixes.find((each) => word.endsWith(each));
  if (suffix === undefined) return word;
  // `ion` goes, the s or t before it stays.
  const base = word.slice(0, -(suffix === 'sion' || suffix === 'tion' ? 3 : suffix.length));
  return measure(base) > 1 ? base : word;
}

function step5(word: string): string {
  let result = word;
  if (result.endsWith('e')) {
    const base = result.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !endsWithShortSyllable(base))) result = base;
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result;
}

function replaceFirst(word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measure(base) > 0 ? base + replacement : word;
  }
  return word;
}

/** Number of times a vowel run is followed by a consonant run. */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let i = 0; i < word.length; i += 1) {
    const isVowelHere = isVowel(word, i, wasVowel);
    if (wasVowel && !isVowelHere) count += 1;
    wasVowel = isVowelHere;
  }
  return count;
}

function hasVowel(word: string): boolean {
  return /[aeiou]/.test(word) || word.indexOf('y', 1) > 0;
}

/** `y` is a vowel after a consonant. */
function isVowel(word: string, index: number, wasVowel: boolean): boolean {
  switch (word.charCodeAt(index)) {
    case 0x61:
    case 0x65:
    case 0x69:
    case 0x6f:
    case 0x75:
      return true;
    case 0x79:
      return index > 0 && !wasVowel;
    default:
      return false;
  }
}

function endsWithDoubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowelAt(word, last);
}

/** Consonant, vowel, consonant, the last not w, x or y: `hop`, not `how`. */
function endsWithShortSyllable(word: string): boolean {
  const last = word.length - 1;
  return (
    last > 1 &&
    !/[wxy]$/.test(word) &&
    !isVowelAt(word, last) &&
    isVowelAt(word, last - 1) &&
    !isVowelAt(word, last - 2)
  );
}

function isVowelAt(word: string, index: number): boolean {
  let result = false;
  for (let i = 0; i <= index; i += 1) result = isVowel(word, i, result);
  return result;
}
