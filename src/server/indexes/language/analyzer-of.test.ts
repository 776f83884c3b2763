import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { document, idsFound, indexOf, smallSettings } from '#server/engine/testing/fixtures.ts';
import { analyzerNamed, analyzerOf, isAsNew } from './analyzer-of.ts';

const plain = { prefix: false, typosMax: 0, match: 'all' } as const;

function found(code: string, text: string, titles: string[]): string[] {
  const index = indexOf(
    titles.map((title, i) => document(String(i), { title })),
    { ...smallSettings, analyzer: analyzerOf(code) },
  );
  return idsFound(index, { ...plain, text }).map((id) => titles[Number(id)] ?? '');
}

describe('words are found in their other forms, and no others', () => {
  it.each([
    ['de', 'Haus', ['Häuser am See', 'des Hauses'], ['Hase']],
    ['de', 'häuser', ['ein Haus'], ['Maus']],
    ['de', 'der Kinder', ['ein Kind'], ['der die das']],
    ['fr', 'mangées', ['il a mangé', 'manger'], ['manche']],
    ['fr', 'mangees', ['il a mangé'], ['manche']],
    ['fr', 'homme', ["l'homme", 'les hommes'], ['gomme']],
    ['fr', 'chevaux', ['un cheval'], ['chevet']],
    ['es', 'canción', ['canciones'], ['cantina']],
    ['es', 'educacion', ['la educación', 'educaciones'], ['edad']],
    ['pt', 'casa', ['as casas'], ['cabo']],
    ['pt', 'falou', ['falar'], ['falso']],
    ['it', 'città', ['le citta'], ['cinta']],
    ['it', 'gatti', ['un gatto'], ['getto']],
    ['nl', 'katten', ['een kat'], ['kater']],
    ['sv', 'flickor', ['en flicka', 'flickorna'], ['flagga']],
    ['da', 'huse', ['huset'], ['hud']],
    ['no', 'biler', ['bilen'], ['blå']],
    ['nb', 'biler', ['bilen'], ['blå']],
    ['fi', 'talossa', ['talot'], ['talvi']],
    ['hu', 'házak', ['ház', 'a házban'], ['híd']],
    ['ro', 'case', ['casă', 'casele'], ['cal']],
    ['ro', 'informatii', ['informație', 'informaţii'], ['forma']],
    ['el', 'σπίτι', ['σπίτια'], ['σπίθα']],
    ['ru', 'книги', ['книга', 'книгу'], ['книзу']],
    ['tr', 'kitaplar', ['kitap'], ['kitle']],
    ['tr', 'ISPARTA', ['Isparta', 'ısparta'], ['isparta']],
    ['tr', 'İSTANBUL', ['istanbul', 'İstanbul'], ['ıstanbul']],
    ['ar', 'كتاب', ['الكتاب', 'والكتاب', 'كِتَاب', 'كتـاب'], ['كاتب']],
    ['hi', 'लड़के', ['लड़का'], ['लकड़ी']],
    ['zh', '东京', ['我在东京工作'], ['京东']],
    ['ja', '京都', ['京都タワー', '東京都'], ['京王']],
    ['th', 'ภาษา', ['ภาษาไทย'], ['ภาพ']],
    ['xx', 'running', ['running'], ['run']],
  ])('%s: %s', (code, text, wanted, others) => {
    expect(found(code, text, [...wanted, ...others]).sort()).toEqual(wanted.sort());
  });
});

/** Pairs of different words that differ in one letter or mark. */
describe('different words stay different', () => {
  it.each([
    ['tr', 'ılık', 'ilik'],
    ['tr', 'sınır', 'sinir'],
    ['tr', 'açı', 'acı'],
    ['tr', 'öl', 'ol'],
    ['tr', 'kaş', 'kas'],
    ['tr', 'kâr', 'kar'],
    ['hi', 'कल', 'काल'],
    ['hi', 'कुल', 'कूल'],
    ['hi', 'सजा', 'सज़ा'],
    ['hi', 'राज', 'राज़'],
    ['hi', 'हंस', 'हँस'],
    ['ar', 'أعلام', 'إعلام'],
    ['ar', 'فأر', 'فار'],
    ['ar', 'سؤال', 'سوال'],
    ['ar', 'علي', 'على'],
    ['ru', 'бой', 'бои'],
    ['ru', 'мой', 'мои'],
  ])('%s: %s and %s', (code, one, other) => {
    const { fold } = analyzerOf(code).words;
    expect(fold(one)).not.toBe(fold(other));
    expect(fold(one.normalize('NFD'))).toBe(fold(one));
  });
});

const codes = 'ar da de el en es fi fr ga hi hu it nl no pt ro ru sv tr xx'.split(' ');

test.each(codes)('%s: folding twice is folding once, and no stem is empty', (code) => {
  const { words, stem, stopWords } = analyzerOf(code);
  const letter = fc.oneof(
    fc.constantFrom(...'aeiouAEIOUbcdIİıßéñçşğüöçãőčśćœßëêς'),
    fc.constantFrom(...'كتابأإآىةؤئءالو\u064b\u0651\u0640', ...'हिन्दीज़क़ंँ', ...'ёйщъэ', '\u0301', '東', 'ท'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 12 }), (word) => {
      const folded = words.fold(word);
      expect(words.fold(folded)).toBe(folded);
      if (folded !== '') expect(stem(folded)).not.toBe('');
    }),
    // A symbol, and a sign of recitation, of the Arabic script beside a letter of another.
    { numRuns: 300, examples: [['\ufd40ć'], ['\u06e5ś']] },
  );
  for (const word of stopWords) expect(words.fold(word)).toBe(word);
});

test('a query of stop words alone looks for them; among others they do not count', () => {
  expect(found('fr', 'le chat', ['chat noir', 'le chien'])).toEqual(['chat noir']);
  expect(found('fr', 'le', ['chat noir', 'le chien'])).toEqual(['le chien']);
});

test('an index tells by a name what its texts were read by, and whether they are to be read again', () => {
  for (const code of ['en', 'de', 'nb', 'zh', 'ar'])
    expect(analyzerNamed(analyzerOf(code).name)?.name).toBe(analyzerOf(code).name);
  const german = analyzerOf('de');
  expect([analyzerNamed('de-1'), analyzerNamed('xx-1')]).toEqual([german, null]);
  const names = [german.name, 'de-1', 'de-1000', analyzerOf('fr').name, 'en'];
  expect(names.map((name) => isAsNew(name, german))).toEqual([true, false, true, false, false]);
  expect(isAsNew('en', analyzerOf(null))).toBe(true);
});
