import { expect, test } from 'vitest';
import { anchorGiver } from './anchors.ts';
import { readContents } from './contents.ts';
import { passagesOf } from './passages.ts';

test('an article is cut at its headings, not at comments of its code', () => {
  const text = [
    '# Filters',
    'Which **documents** may be [found](x.md).',
    '## Special characters',
    '```sh',
    '## no heading',
    '```',
    '| `a` | first |',
    '|---|---|',
    '### `k` and more',
    'Text.',
  ].join('\n');
  expect(passagesOf(text)).toEqual([
    { anchor: '', heading: '', text: 'Which documents may be found.', table: '', code: '' },
    {
      anchor: 'special-characters',
      heading: 'Special characters',
      text: '',
      table: 'a: first',
      code: '## no heading',
    },
    { anchor: 'k-and-more', heading: 'k and more', text: 'Text.', table: '', code: '' },
  ]);
});

test('anchors are those of GitHub, and are told apart', () => {
  const anchor = anchorGiver();
  expect(['Read and change', 'What’s `k`?', 'Read and change', 'Über_uns'].map(anchor)).toEqual([
    'read-and-change',
    'whats-k',
    'read-and-change-1',
    'über_uns',
  ]);
});

test('a line of the list that cannot be read is named', () => {
  expect(() => readContents('# A\n## B\nText.\n- [C](c.md) without a colon')).toThrow(/without a colon/);
  expect(() => readContents('# A\nText.')).toThrow(/no part of a list/);
});
