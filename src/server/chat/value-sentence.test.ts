import { expect, test } from 'vitest';
import { passagesOf } from './passages.ts';
import { valueSentence } from './value-sentence.ts';

const sentences = async (title: string | null, fields: Record<string, string | number | string[]>) => {
  const passages = await passagesOf(
    { id: 'x', ...fields },
    { words: new Set(), sentencesMax: 10 },
    async () => {},
  );
  return passages.map((passage) => valueSentence(title, passage));
};

test('a short field is told in a sentence that has its values as they stand in the document', async () => {
  expect(
    await sentences('Solaris', {
      year: 1972,
      cast: ['Ann Lee', 'Bo Ray'],
      genres: ['Drama'],
      status: 'restored',
    }),
  ).toEqual([
    'The year of “Solaris” is 1972.',
    'The cast of “Solaris” is Ann Lee, Bo Ray.',
    'The genres of “Solaris” are Drama.',
    'The status of “Solaris” is restored.',
  ]);
  expect(await sentences('Cup', { release_year: 1972, brand: 'Acme Inc.' })).toEqual([
    'The release year of “Cup” is 1972.',
    'The brand of “Cup” is Acme Inc.',
  ]);
});

test('what happened is told as that', async () => {
  expect(await sentences('Casablanca', { released: 1942 })).toEqual(['“Casablanca” was released in 1942.']);
  expect(await sentences('Ada', { born: '1815-12-10', died: 1852 })).toEqual([
    '“Ada” was born 1815-12-10.',
    '“Ada” died in 1852.',
  ]);
});

test('a document without a title is not named by its id', async () => {
  expect(await sentences(null, { year: 1972, released: 1972 })).toEqual([
    'The year is 1972.',
    'It was released in 1972.',
  ]);
});
