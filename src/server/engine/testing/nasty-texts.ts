/**
 * Texts that are hard on whoever normalises, folds, cuts into words, matches or marks them: each kind as long as asked for, in UTF-16
 * units. What they have in common is that nothing in them ends soon.
 */

/** The unit again and again, up to this length. */
const repeated = (unit: string) => (units: number) =>
  unit.repeat(Math.ceil(units / unit.length)).slice(0, units);

/** Begins with one thing and goes on with another. */
const after = (head: string, unit: string) => (units: number) => head + repeated(unit)(units - head.length);

/** The letters, marks and digits of a script, in turn. */
function ofScript(script: string): (units: number) => string {
  return (units) => {
    const pattern = new RegExp(String.raw`\p{sc=${script}}`, 'u');
    return repeated(
      assigned()
        .filter((character) => pattern.test(character))
        .join(''),
    )(units);
  };
}

let everyCharacter: string[] | null = null;

/** Every assigned character but the private ones and the surrogates. */
function assigned(): string[] {
  if (everyCharacter === null) {
    const isAssigned = /[^\p{Cn}\p{Co}\p{Cs}]/u;
    const codes = Array.from({ length: 0xe0200 }, (_, code) => code);
    everyCharacter = codes.map((code) => String.fromCodePoint(code)).filter((each) => isAssigned.test(each));
  }
  return everyCharacter;
}

const scripts =
  'Latn Grek Cyrl Armn Hebr Arab Syrc Thaa Deva Beng Taml Telu Thai Laoo Tibt Mymr Geor Hang Ethi Khmr Mong Hira Kana Hani Nkoo';

export const nastyTexts: Record<string, (units: number) => string> = {
  'marks of alternating classes': after('a', '\u0301\u0323'),
  'marks after a letter that keeps its marks': after('щ', '\u0301\u0323'),
  'words of 1,023 marks': repeated(`щ${'\u0301'.repeat(1_023)} `),
  'words of 1,023 marks of alternating classes': repeated(`щ${'\u0301\u0323'.repeat(511)}\u0301 `),
  'marks that are two each': after('a', '\u0344\u0f73'),
  'marks outside the first plane': after('a', '\u{1d165}\u{1d16d}'),
  'half-width sound marks': after('ｶ', '\uff9e\u0301'),
  'marks after a letter of Arabic': after('ب', '\u0301\u0323'),
  'marks after a letter of Turkish': after('İ', '\u0301\u0323'),
  'words of 1,023 vowel marks of Arabic': repeated(`ب${'\u064e\u0651'.repeat(511)}\u064e `),
  'marks alone': repeated('\u0323\u0301'),
  'one giant word': repeated('x'),
  'one giant word with accents': repeated('é'),
  'one giant word of two letters in turn': repeated('ab'),
  digits: repeated('1234567890'),
  apostrophes: repeated("'"),
  possessives: repeated("a's"),
  'words that hyphens join': repeated('a-'),
  'eight words that hyphens join': repeated(`${'ab-'.repeat(7)}ab `),
  'numbers that points join': repeated('1.'),
  'words with symbols': repeated('c++/c#&'),
  'words behind points': repeated(' .a'),
  flags: repeated('🇫🇷'),
  'emoji of many variants': after('❤', '\ufe0f'),
  'zero-width joiners': after('a', '\u200d'),
  'joined emoji': repeated('👩\u200d'),
  'soft hyphens': after('a', '\u00ad'),
  'Chinese without spaces': repeated('東京都'),
  'Thai with stacked marks': after('ก', '\u0e34\u0e48'),
  'Hangul in single vowels': after('\u1100', '\u1161'),
  'Hangul in single letters': repeated('\u1112\u1161\u11ab'),
  'compatibility forms that are long': repeated('\ufdfa'),
  'letters that grow when folded': repeated('ŉΐßİ'),
  'final sigmas': repeated('ΑΣ'),
  'unclosed tags': repeated('<b '),
  'opening brackets': repeated('<'),
  ampersands: repeated('&amp'),
  quotes: repeated('"'),
  spaces: repeated(' '),
  'line ends': repeated('\r\n'),
  'lone surrogates': repeated('\ud800'),
  'low surrogates before high ones': repeated('\udc00\ud800'),
  'dots between digits': repeated('1.'),
  'words of one letter': repeated('a b '),
  ...Object.fromEntries(scripts.split(' ').map((script) => [`the script ${script}`, ofScript(script)])),
  'all of Unicode': (units) => repeated(assigned().join(''))(units),
};
