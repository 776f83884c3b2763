import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { arabic } from '#server/testing/judged/languages/arabic.ts';
import { chinese } from '#server/testing/judged/languages/chinese.ts';
import { german } from '#server/testing/judged/languages/german.ts';
import { hindi } from '#server/testing/judged/languages/hindi.ts';
import type { AskedDocument } from '#server/testing/judged/languages/language-set.ts';
import { russian } from '#server/testing/judged/languages/russian.ts';
import { spanish } from '#server/testing/judged/languages/spanish.ts';
import { charactersOfText, LanguageCount } from './language-count.ts';
import { stopWordTexts } from './stop-word-texts.ts';

function languageOf(texts: readonly string[]): string | null {
  const count = new LanguageCount();
  for (const text of texts) count.add(text);
  return count.language();
}
const textsOf = (documents: readonly AskedDocument[]) =>
  documents.map(([title, text]) => `${title}\n${text}`);

const declaration = {
  // The first articles of the Universal Declaration of Human Rights.
  da: 'Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed, og de bør handle mod hverandre i en broderskabets ånd. Enhver har krav på alle de rettigheder og friheder, som nævnes i denne erklæring, uden forskelsbehandling af nogen art, for eksempel på grund af race, farve, køn, sprog, religion, politisk eller anden anskuelse, national eller social oprindelse, formueforhold, fødsel eller anden samfundsmæssig stilling.',
  fr: 'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Chacun peut se prévaloir de tous les droits et de toutes les libertés proclamés dans la présente Déclaration, sans distinction aucune, notamment de race, de couleur, de sexe, de langue, de religion, d’opinion politique ou de toute autre opinion.',
  it: 'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza. Ad ogni individuo spettano tutti i diritti e tutte le libertà enunciate nella presente Dichiarazione, senza distinzione alcuna, per ragioni di razza, di colore, di sesso, di lingua, di religione, di opinione politica o di altro genere.',
  pl: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. Każdy człowiek posiada wszystkie prawa i wolności zawarte w niniejszej Deklaracji bez względu na różnice rasy, koloru, płci, języka, wyznania, poglądów politycznych i innych przekonań, narodowości, pochodzenia społecznego, majątku, urodzenia lub jakiegokolwiek innego stanu. Nikt nie może być aresztowany, jeżeli nie jest to zgodne z prawem, a każdy ma prawo do tego, aby jego sprawa była rozpatrzona przez sąd.',
  af: 'Alle menslike wesens word vry, met gelyke waardigheid en regte, gebore. Hulle het rede en gewete en behoort in die gees van broederskap teenoor mekaar op te tree. Elkeen het die reg op al die regte en vryhede in hierdie Verklaring sonder onderskeid van enige aard, soos ras, kleur, geslag, taal, geloof, politieke of ander mening, nasionale of sosiale afkoms, besit, geboorte of ander status.',
};

describe('texts are in a language', () => {
  it.each([
    ['ar', textsOf(arabic)],
    ['de', textsOf(german)],
    ['es', textsOf(spanish)],
    ['hi', textsOf(hindi)],
    ['ru', textsOf(russian)],
    ['zh', textsOf(chinese)],
    ['ja', Array.from({ length: 8 }, () => '東京の天気は晴れです。コーヒーを飲みながら本を読みました。')],
    ['ko', Array.from({ length: 12 }, () => '모든 인간은 태어날 때부터 자유롭다')],
    ['th', Array.from({ length: 8 }, () => 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน')],
    [
      'en',
      Array.from(
        { length: 8 },
        () => 'A cop who is out for revenge meets the man that he was looking for in the city',
      ),
    ],
  ])('%s', (code, texts) => {
    expect(languageOf(texts)).toBe(code);
  });

  it.each(['da', 'fr', 'it', 'pl'] as const)('%s, by one declaration', (code) => {
    const sentences = declaration[code].split('. ');
    expect(languageOf([...sentences, ...sentences])).toBe(code);
  });
});

describe('no language is named', () => {
  it.each([
    ['of names', Array.from({ length: 60 }, () => 'Ingrid Bergman, Jean Gabin, Humphrey Bogart')],
    ['of codes and measures', Array.from({ length: 100 }, (_, i) => `XJ-${i} 220 V, 1.5 l, RAL 7035`)],
    ['of a few words', textsOf(german).slice(0, 2)],
    [
      'of titles without small words',
      german.flatMap(([title]) => title.split(' ').filter((word) => /^[A-Z]/.test(word))),
    ],
    ['of two languages half and half', [...textsOf(german), ...textsOf(spanish)]],
    ['of one that is only like Dutch', declaration.af.split('. ').flatMap((text) => [text, text])],
    ['of nothing', ['', '']],
  ])('%s', (_, texts) => {
    expect(languageOf(texts)).toBeNull();
  });
});

test('whatever order texts come in, the answer is one; a long text counts as its beginning', () => {
  const all = [...textsOf(german), ...textsOf(german).slice(0, 3)];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (texts) => {
      expect(languageOf(texts)).toBe('de');
    }),
    { numRuns: 20 },
  );
  const spanishBook = textsOf(spanish).join(' ').repeat(50);
  expect(languageOf([...textsOf(german), spanishBook])).toBe('de');
  expect(languageOf([textsOf(german).join(' ')])).toBe(
    languageOf([textsOf(german).join(' ').slice(0, charactersOfText)]),
  );
});

test.each(Object.keys(stopWordTexts))('%s is told by its own stop words, whatever else is told', (code) => {
  const words = stopWordTexts[code as keyof typeof stopWordTexts].split(' ');
  const texts = Array.from({ length: 20 }, (_, i) => words.filter((_, at) => at % 20 === i).join(' '));
  expect([code, null]).toContain(languageOf(texts));
});
