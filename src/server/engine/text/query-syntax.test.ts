import fc from 'fast-check';
import { expect, it } from 'vitest';
import { typedWords } from './analyzer.ts';
import { readSyntax, withoutOperators } from './query-syntax.ts';

const partsOf = (text: string) =>
  readSyntax(text).parts.map((part) => [part.kind, part.text.trim()] as [string, string]);

it.each<[string, [string, string][]]>([
  ['space station', [['words', 'space station']]],
  [
    '"space station" moon',
    [
      ['phrase', 'space station'],
      ['words', 'moon'],
    ],
  ],
  [
    'moon “space station”',
    [
      ['words', 'moon'],
      ['phrase', 'space station'],
    ],
  ],
  [
    'robot -war',
    [
      ['words', 'robot'],
      ['exclusion', 'war'],
    ],
  ],
  [
    '-"star wars" robot',
    [
      ['exclusion', 'star wars'],
      ['words', 'robot'],
    ],
  ],
  ['-spider-man', [['exclusion', 'spider-man']]],
  ['spider-man', [['words', 'spider-man']]],
  ['alien - 3', [['words', 'alien - 3']]],
  ['--force', [['words', '--force']]],
  ['-', [['words', '-']]],
  ['12" pipe', [['words', '12" pipe']]],
  ['"space sta', [['words', 'space sta']]],
  [
    '"space -war',
    [
      ['words', 'space'],
      ['exclusion', 'war'],
    ],
  ],
  [
    'robot -"star wa',
    [
      ['words', 'robot'],
      ['exclusion', 'star wa'],
    ],
  ],
  ['"" robot', [['words', 'robot']]],
  [
    '("new york")',
    [
      ['words', '('],
      ['phrase', 'new york'],
      ['words', ')'],
    ],
  ],
  ['  ', []],
  [
    'one two three four five six seven eight nine ten - "eleven twelve" -red',
    [
      ['words', 'one two three four five six seven eight nine ten -'],
      ['phrase', 'eleven twelve'],
      ['exclusion', 'red'],
    ],
  ],
  [
    'what is written about the "rotation" of eigenvectors by a permutation, not -red ones',
    [['words', 'what is written about the "rotation" of eigenvectors by a permutation, not -red ones']],
  ],
])('reads %s', (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

it('says what is searched for', () => {
  expect(readSyntax('a  "b c" -d').text).toBe('a b c');
  expect(readSyntax('-d').text).toBe('');
  expect(readSyntax('* -d').text).toBe('*');
  expect(readSyntax('a  b').text).toBe('a  b');
});

const typed = fc
  .array(fc.constantFrom('"', '-', ' ', 'red', 'wine', '“', '(', '*', '3'), { maxLength: 16 })
  .map((pieces) => pieces.join(''));

it('loses no word and makes none up, whatever is typed', () => {
  fc.assert(
    fc.property(typed, (text) => {
      const { parts } = readSyntax(text);
      expect(parts.flatMap((part) => typedWords(part.text))).toEqual(typedWords(text));
    }),
  );
});

it('has no operators in a text that was rid of them', () => {
  fc.assert(
    fc.property(typed, (text) => {
      const plain = withoutOperators(text);
      expect(readSyntax(plain).parts.every(({ kind }) => kind === 'words')).toBe(true);
      expect(typedWords(plain)).toEqual(typedWords(text));
    }),
  );
});
