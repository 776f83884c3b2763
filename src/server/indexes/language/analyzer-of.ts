import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { type Analyzer, english, plainWords, type WordRules } from '#server/engine/search-index.ts';
import { accentedStem } from './accented-stem.ts';
import { foldArabic, stemArabic } from './arabic-words.ts';
import { stopWordTexts } from './stop-word-texts.ts';
import { foldTurkish } from './turkish-letters.ts';

interface Language {
  stem: (word: string) => string;
  words?: WordRules;
  stopWords: string;
}

/** By ISO 639-1 code. Snowball's stemmers, but for Arabic. */
const languages: Record<string, Language> = {
  ar: { stem: stemArabic, words: { fold: foldArabic, isAsciiPlain: true }, stopWords: stopWordTexts.ar },
  da: { stem: danish, stopWords: stopWordTexts.da },
  de: { stem: german, stopWords: stopWordTexts.de },
  el: { stem: greek, stopWords: stopWordTexts.el },
  es: { stem: accentedStem(spanish, 'áéíóúñü'), stopWords: stopWordTexts.es },
  fi: { stem: finnish, stopWords: stopWordTexts.fi },
  fr: { stem: accentedStem(french, 'éè'), stopWords: stopWordTexts.fr },
  ga: { stem: accentedStem(irish, 'áéíóú'), stopWords: stopWordTexts.ga },
  hi: { stem: hindi, stopWords: stopWordTexts.hi },
  hu: { stem: accentedStem(hungarian, 'áéíóúöüőű'), stopWords: stopWordTexts.hu },
  it: { stem: accentedStem(italian, 'àèéìòù'), stopWords: stopWordTexts.it },
  nl: { stem: dutch, stopWords: stopWordTexts.nl },
  no: { stem: norwegian, stopWords: stopWordTexts.no },
  pt: { stem: accentedStem(portuguese, 'ãõáéíóúâêôçü'), stopWords: stopWordTexts.pt },
  ro: { stem: accentedStem(romanian, 'ăâîşţ'), stopWords: stopWordTexts.ro },
  ru: { stem: russian, stopWords: stopWordTexts.ru },
  sv: { stem: swedish, stopWords: stopWordTexts.sv },
  tr: { stem: turkish, words: { fold: foldTurkish, isAsciiPlain: false }, stopWords: stopWordTexts.tr },
};
/** Both written languages of Norway. */
const others: Record<string, string> = { nb: 'no', nn: 'no' };

/** Only words of letters have endings. */
const letters = /^[\p{L}\p{M}]+$/u;
/** Of the rules here; a change makes indexes be built anew. */
const edition = 2;

/** Of languages of which nothing is known here. */
const plain = 'plain';

const made = new Map<string, Analyzer>();

/**
 * How texts of a language are read; null: as English. A language of which nothing is known here is read without stems and stop words, which
 * is what Chinese, Japanese, Thai and Korean need.
 */
export function analyzerOf(code: string | null): Analyzer {
  if (code === null || code === 'en') return english;
  const known = made.get(code);
  if (known !== undefined) return known;
  const analyzer = make(code);
  made.set(code, analyzer);
  return analyzer;
}

/** The one of that name, or of that language by the rules of this edition; null: no language here has that name. */
export function analyzerNamed(name: string): Analyzer | null {
  const { language } = partsOf(name);
  const analyzer = analyzerOf(language === plain ? 'und' : language);
  return partsOf(analyzer.name).language === language ? analyzer : null;
}

/** Whether texts that were read by a name's rules need not be read again: a later release may have read them already. */
export function isAsNew(name: string, { name: own }: Pick<Analyzer, 'name'>): boolean {
  const [before, now] = [partsOf(name), partsOf(own)];
  return before.language === now.language && before.edition >= now.edition;
}

function partsOf(name: string): { language: string; edition: number } {
  const [language = '', edition = '0'] = name.split('-');
  return { language, edition: Number(edition) };
}

function make(code: string): Analyzer {
  const language = languages[others[code] ?? code];
  const name = `${language === undefined ? plain : (others[code] ?? code)}-${edition}`;
  if (language === undefined)
    return { name, words: plainWords, stem: (word) => word, isStemBeginning: true, stopWords: new Set() };
  const { stem, words = plainWords, stopWords } = language;
  return {
    name,
    words,
    stem: (word) => (letters.test(word) ? stem(word) || word : word),
    isStemBeginning: false,
    stopWords: new Set(stopWords.split(' ').flatMap((word) => words.fold(word) || [])),
  };
}
