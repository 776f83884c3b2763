/**
 * Texts of which the built-in models know little or nothing: documents in other languages, with what people ask and their titles, and made-up codes of parts as they
 * are typed. Judged by construction.
 */

import { RandomNumbers } from '#server/random-numbers.ts';
import type { CorpusRow, JudgedSet } from './judged-set.ts';
import type { JudgedCollection } from './judged-sets.ts';
import { arabic } from './languages/arabic.ts';
import { chinese } from './languages/chinese.ts';
import { german } from './languages/german.ts';
import { hindi } from './languages/hindi.ts';
import { languageSets } from './languages/language-set.ts';
import { russian } from './languages/russian.ts';
import { spanish } from './languages/spanish.ts';
import { someOf } from './some-of.ts';
import { misspelt } from './typing-errors.ts';

export interface UnknownTexts extends JudgedCollection {
  /** How the texts are read, ISO 639-1; null: as English. */
  language: string | null;
}

/** By ISO 639-1. */
export const languages = { ar: arabic, de: german, es: spanish, hi: hindi, ru: russian, zh: chinese };

const seed = 13;
const codesMade = 2_000;
const codesAsked = 300;

export function unknownTexts(): UnknownTexts[] {
  const inLanguages = Object.entries(languages).map(([language, documents]) => {
    return { name: language, language, fields: null, ...languageSets(language, documents) };
  });
  return [...inLanguages, codes()];
}

const letters = 'ABCDEFGHJKLMNPRSTVWXYZ';

function codes(): UnknownTexts {
  const random = new RandomNumbers(seed);
  const some = (count: number, of: string) =>
    Array.from({ length: count }, () => of[random.below(of.length)]).join('');
  const rows = Array.from({ length: codesMade }, (_, i): CorpusRow => {
    const parts = [
      some(random.between(2, 3), letters),
      some(random.between(3, 5), '0123456789'),
      some(2, letters),
    ];
    return { _id: `${i}`, title: parts.join('-') };
  });
  const asked = someOf(rows, codesAsked, random);
  const setOf = (kind: string, typed: (code: string) => string): JudgedSet => ({
    name: `codes: ${kind}`,
    queries: asked.map(({ _id: id, title }) => ({
      id,
      text: typed(String(title)),
      grades: new Map([[id, 1]]),
    })),
  });
  const typo = (code: string) =>
    code
      .split('-')
      .map((part, place) => (place === 1 ? misspelt(part, random) : part))
      .join('-');
  return {
    name: 'codes',
    language: null,
    fields: null,
    rows,
    sets: [
      setOf('as they stand', (code) => code),
      setOf('one wrong', typo),
      setOf('in one', (code) => code.replaceAll('-', '')),
      setOf('in one, without its end', (code) => code.replaceAll('-', '').slice(0, -2)),
    ],
  };
}
