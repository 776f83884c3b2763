import { expect, it } from 'vitest';
import type { AnswerSentence } from '#shared/chat.ts';
import { answerAsText, answerParts, withoutBegunMark } from './answer-parts.ts';

const sentence = (start: number, end: number, supported = true): AnswerSentence => ({
  start,
  end,
  supported,
  citations: [],
});
const shown = (...[answer]: Parameters<typeof answerParts>) =>
  answerParts(answer).map((part) =>
    part.kind === 'words' ? part.text : { numbers: part.numbers, sentence: part.sentence },
  );

it('cuts a quotation at its sentences, each with its source, and leaves the document’s own brackets', () => {
  const text = 'Solaris [1] is a film. [1] It was shot in Moscow. [2]';
  expect(
    shown({ text, model: 'vector-ai', sentences: [sentence(0, 22), sentence(27, 49)], sources: 2 }),
  ).toEqual([
    'Solaris [1] is a film.',
    { numbers: [1], sentence: 0 },
    ' ',
    'It was shot in Moscow.',
    { numbers: [2], sentence: 1 },
  ]);
});

it('reads the marks of models wherever they stand, and marks what no source says', () => {
  const text = 'Lem wrote it [1, 2]. It won twelve Oscars [source 3].';
  const answer = { text, model: 'claude' as const, sources: 3 };
  const sentences = [sentence(0, 20), sentence(21, 53, false)];
  expect(shown({ ...answer, sentences })).toEqual([
    'Lem wrote it',
    { numbers: [1, 2], sentence: 0 },
    '.',
    ' ',
    'It won twelve Oscars',
    { numbers: [3], sentence: 1 },
    '.',
  ]);
  expect(
    answerParts({ ...answer, sentences }).map((part) => part.kind === 'words' && part.isSupported),
  ).toEqual([true, false, true, true, false, false, false]);
  expect(shown({ ...answer, sentences: [] }).at(1)).toEqual({ numbers: [1, 2], sentence: null });
});

it('a number that no source has is text', () => {
  expect(shown({ text: 'It won [9].', model: 'gpt-4', sentences: [], sources: 2 })).toEqual(['It won [9].']);
  expect(shown({ text: '', model: 'gpt-4', sentences: [], sources: 2 })).toEqual([]);
});

it('a mark that has only begun to come is not shown', () => {
  expect(withoutBegunMark('Lem wrote it [1')).toBe('Lem wrote it');
  expect(withoutBegunMark('Lem wrote it [1].')).toBe('Lem wrote it [1].');
});

it('is copied with what its marks stand for', () => {
  const source = { number: 2, title: 'Solaris', id: 's', collection: { name: 'films' } };
  expect(answerAsText('Lem wrote it [2].', [source])).toBe('Lem wrote it [2].\n\n[2] Solaris (films, s)');
  expect(answerAsText('I found nothing.', [])).toBe('I found nothing.');
});
