import { expect, test } from 'vitest';
import { passagesOf } from './passages.ts';
import { possibleQuestions } from './possible-questions.ts';

const whole = { words: new Set<string>(), sentencesMax: 40 };
const questionsAbout = async (
  title: string | null,
  document: { id: string; [field: string]: never | string | number | string[] },
) => possibleQuestions(title, await passagesOf(document, whole, async () => {})).map(({ text }) => text);

test('a document is asked about by its title and what its fields are called', async () => {
  const film = {
    id: '1',
    title: 'Solaris',
    extract: 'Solaris is a film by Andrei Tarkovsky that was made in Moscow.',
    director: 'Andrei Tarkovsky',
    cast: ['Natalya Bondarchuk', 'Donatas Banionis'],
    year: 1972,
    genres: ['Drama'],
    status: 'restored',
    in_stock: 'maybe',
    is_silent: 'no',
    thumbnail_url: 'x.jpg',
    studio_id: 'm7',
  };
  expect(await questionsAbout('Solaris', film)).toEqual([
    'What is Solaris about?',
    'Who is the director of Solaris?',
    'Who is in the cast of Solaris?',
    'What year is Solaris from?',
    'What are the genres of Solaris?',
    'What is the status of Solaris?',
  ]);
  expect(await questionsAbout('Cup', { id: '2', name: 'Cup', price: 12 })).toEqual(['What does Cup cost?']);
});

test('one without a title that people say is asked about by the names that it mentions', async () => {
  const text = 'The keeper was Yann Kerdraon. He went to Brest twice and came home from Brest.';
  expect(await questionsAbout(null, { id: '1', text })).toEqual([
    'What is said about Yann Kerdraon?',
    'What is said about Brest?',
    'Tell me about keeper',
    'Tell me about Kerdraon',
  ]);
  expect(await questionsAbout('4711', { id: '1', text: 'it has not a single name in it' })).toEqual([
    'Tell me about single',
  ]);
  expect(await questionsAbout(null, { id: '1', temperature: 21, sensor: 'A7' })).toEqual([]);
});

test('one without names is asked about by what its text begins with', async () => {
  const text = 'refunds are paid quickly to the card that was used for the order. Others follow.';
  expect(await questionsAbout(null, { id: '1', text })).toEqual([
    'Tell me about refunds',
    'Tell me about order',
  ]);
});

test('a field that says when something happened is asked for so', async () => {
  expect(await questionsAbout('Ada Lovelace', { id: '1', born: 1815, died: '1852-11-27' })).toEqual([
    'When was Ada Lovelace born?',
    'When did Ada Lovelace die?',
  ]);
});
