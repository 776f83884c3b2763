import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from './analyzer.ts';
import { highlight } from './highlight.ts';

const matcher =
  (...words: string[]) =>
  (token: string): boolean =>
    words.includes(token);

const snippetOf = (text: string, ...words: string[]): string | undefined =>
  highlight({ text }, null, matcher(...words), tokenize)[0]?.snippet;

const filler = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');

describe('snippets', () => {
  test('a short text is whole, marked and escaped', () => {
    expect(snippetOf('The <b>Red</b> wine & red "cheese".', 'red')).toBe(
      'The &lt;b&gt;<mark>Red</mark>&lt;/b&gt; wine &amp; <mark>red</mark> &quot;cheese&quot;.',
    );
  });

  test('a long text is cut around the window with the most different words', () => {
    const text = `${filler(50)} red ${filler(60)} red ${filler(5)} wine ${filler(80)}`;
    const snippet = snippetOf(text, 'red', 'wine') ?? '';
    expect(snippet).toMatch(/^… .*<mark>red<\/mark> w0 w1 w2 w3 w4 <mark>wine<\/mark>.* …$/);
    expect(snippet.match(/\S*w\d+\S*/g)).toHaveLength(28);
  });

  test('the beginning and the end of a text carry no ellipsis there', () => {
    expect(snippetOf(`red ${filler(60)}`, 'red')).toMatch(/^<mark>red<\/mark> .* …$/);
    expect(snippetOf(`${filler(60)} red`, 'red')).toMatch(/^… .* <mark>red<\/mark>$/);
  });

  test('overlapping matches of a script without spaces are one mark', () => {
    expect(snippetOf('東京都に', '東京', '京都')).toBe('<mark>東京都</mark>に');
  });

  test('a very long text is looked at in part and still answers', () => {
    const snippet = snippetOf(`red ${'word '.repeat(500_000)}`, 'red') ?? '';
    expect(snippet.length).toBeLessThan(400);
    expect(snippet.endsWith(' …')).toBe(true);
    expect(snippetOf(`${'x'.repeat(1_000_000)} red`, 'red')).toBeUndefined();
  });
});

describe('fields', () => {
  const source = {
    id: 'red',
    title: 'Red',
    tags: ['blue', 'dark red red', 'red'],
    author: [{ name: 'Ann' }, { name: 'Red Bob' }],
    price: 5,
  };

  test('all text fields that match, by path; a list shows its best element', () => {
    expect(highlight(source, null, matcher('red'), tokenize)).toEqual([
      { field: 'title', snippet: '<mark>Red</mark>', matchedTokens: ['Red'] },
      { field: 'tags', snippet: 'dark <mark>red</mark> <mark>red</mark>', matchedTokens: ['red'] },
      { field: 'author.name', snippet: '<mark>Red</mark> Bob', matchedTokens: ['Red'] },
    ]);
  });

  test('only the named ones, in their order, without those that do not match', () => {
    const fields = ['tags', 'price', 'title', 'nothing', 'title'];
    expect(highlight(source, fields, matcher('red'), tokenize).map(({ field }) => field)).toEqual([
      'tags',
      'title',
    ]);
  });
});

test('whatever the text, the snippet without its marks is the escaped text or a part of it', () => {
  const piece = fc.oneof(
    fc.constantFrom('red', 'blue', ' ', '<', '&', '"', '<mark>', '</mark>', '東', '京'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
      const text = pieces.join('');
      const snippet = snippetOf(text, 'red', '東京', 'mark');
      const hasMatch = tokenize(text).some(({ token }) => matcher('red', '東京', 'mark')(token));
      expect(snippet !== undefined).toBe(hasMatch);
      if (snippet === undefined) return;
      const inside = snippet.replace(/^… /, '').replace(/ …$/, '');
      expect(inside.replaceAll(/<mark>|<\/mark>/g, '')).not.toMatch(/[<>"']/);
      const plain = plainOf(inside.replaceAll(/<mark>|<\/mark>/g, ''));
      expect(text).toContain(plain);
      expect(inside.split('<mark>').length).toBe(inside.split('</mark>').length);
      expect(inside).toContain('<mark>');
    }),
    { numRuns: 500 },
  );
});

function plainOf(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
