import { stopWordTexts } from './stop-word-texts.ts';
import { neverNamed, tellingWords } from './telling-words.ts';

/**
 * Which language texts are in, by the words that say little and are frequent: the method of Ingle, "A Language Identification Table" (1976), and
 * Grefenstette, "Comparing two language identification schemes" (1995). It keeps one count a known word, costs one look-up a word, and needs no model.
 * It names a language only where texts are mostly in it, and none where they are names or titles without such words.
 */

/** So many of them from one text, so that a long one is not all that counts. */
export const charactersOfText = 400;
/** Fewer words name none. */
const wordsMin = 100;
/** Characters of a script that is written without spaces, or of one language alone. */
const scriptLettersMin = 150;
/** Share of all letters that is in one script. */
const scriptShareMin = 0.6;
/** Japanese has kana; Chinese names of products may have some too. */
const kanaShareMin = 0.1;
/** Share of the words that are among a language's: a fifth in Finnish and Turkish texts, two fifths in most, a twelfth in those of an unknown neighbour. */
const coverMin = 0.12;
/** How many times as often its own words are there as those that only a rival has: texts that are mixed 3 to 1 name none. */
const leadMin = 3;
/** Those with most words; what stands behind them is far behind. */
const rivalsMax = 5;

const codes = [...new Set([...Object.keys(stopWordTexts), ...Object.keys(tellingWords)])];
/** The languages that have a word, by their place in `codes`. */
const languagesOf = new Map<string, number[]>();
for (const [at, code] of codes.entries()) {
  const texts: Record<string, string> = stopWordTexts;
  const words = `${texts[code] ?? ''} ${tellingWords[code] ?? ''}`.split(' ').filter((word) => word !== '');
  for (const word of new Set(words.map(plain))) languagesOf.set(word, [...(languagesOf.get(word) ?? []), at]);
}

const word = /[\p{L}\p{M}]+/gu;
const scripts = {
  kana: /[\p{sc=Hira}\p{sc=Kana}]/gu,
  han: /\p{sc=Han}/gu,
  hangul: /\p{sc=Hang}/gu,
  thai: /\p{sc=Thai}/gu,
  any: /\p{L}/gu,
};

export class LanguageCount {
  #words = 0;
  readonly #seen = new Map<string, number>();
  readonly #letters = { kana: 0, han: 0, hangul: 0, thai: 0, any: 0 };

  /** The beginning of a text. */
  add(text: string): void {
    const read = text.slice(0, charactersOfText);
    for (const name of ['kana', 'han', 'hangul', 'thai', 'any'] as const)
      this.#letters[name] += read.match(scripts[name])?.length ?? 0;
    for (const found of plain(read).match(word) ?? []) {
      this.#words += 1;
      if (languagesOf.has(found)) this.#seen.set(found, (this.#seen.get(found) ?? 0) + 1);
    }
  }

  /** ISO 639-1; null: too little is known. */
  language(): string | null {
    return this.#byScript() ?? this.#byWords();
  }

  #byScript(): string | null {
    const { kana, han, hangul, thai, any } = this.#letters;
    const ofScripts: [string, number][] = [
      [kana >= kanaShareMin * (kana + han) ? 'ja' : 'zh', kana + han],
      ['ko', hangul],
      ['th', thai],
    ];
    const most = ofScripts.find(([, count]) => count >= scriptLettersMin && count >= scriptShareMin * any);
    return most?.[0] ?? null;
  }

  #byWords(): string | null {
    if (this.#words < wordsMin) return null;
    const counts = codes.map(() => 0);
    for (const [found, times] of this.#seen)
      for (const at of languagesOf.get(found) ?? []) counts[at] = (counts[at] ?? 0) + times;
    const order = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    const [first, ...rivals] = order;
    const code = first === undefined ? undefined : codes[first];
    if (first === undefined || code === undefined || neverNamed.has(code)) return null;
    if ((counts[first] ?? 0) < coverMin * this.#words) return null;
    const isAhead = rivals.slice(0, rivalsMax).every((rival) => this.#lead(first, rival) >= leadMin);
    return isAhead ? code : null;
  }

  /** Words that two languages share say nothing of which of them it is. */
  #lead(language: number, rival: number): number {
    let own = 1;
    let others = 1;
    for (const [found, times] of this.#seen) {
      const having = languagesOf.get(found) ?? [];
      const isOwn = having.includes(language);
      if (isOwn === having.includes(rival)) continue;
      if (isOwn) own += times;
      else others += times;
    }
    return own / others;
  }
}

/** Romanian is written with a cedilla in place of a comma on many keyboards. */
function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ş', 'ș').replaceAll('ţ', 'ț');
}
