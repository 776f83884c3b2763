import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textsAtOnce, textsByField } from '../../documents/text-fields.ts';
import { runSteps } from '../../steps.ts';
import { plainHighlight } from '../../testing/plain-highlight.ts';
import { tokenize } from '../../text/analyzer.ts';
import { Highlighter, type WordMatcher } from './highlighter.ts';

/** Matches these words and rules out nothing. */
function matcher(...words: string[]): WordMatcher {
  return {
    numberOf: (word) => words.indexOf(word),
    mayMatch: () => true,
    firsts: new Uint8Array(128).fill(1),
    dropLoose: () => undefined,
  };
}

const highlight = (document: Record<string, unknown>, ...words: string[]) =>
  runSteps(new Highlighter(matcher(...words)).highlight(runSteps(textsByField(document, null))));

const snippetOf = (text: string, ...words: string[]): string | undefined =>
  highlight({ text }, ...words)[0]?.snippet;

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

test('a list shows its best text', () => {
  const source = {
    title: 'Red',
    tags: ['blue', 'dark red red', 'red'],
    author: [{ name: 'Ann' }, { name: 'Red Bob' }],
    price: 5,
  };
  expect(highlight(source, 'red')).toEqual([
    { field: 'title', snippet: '<mark>Red</mark>', matchedTokens: ['Red'] },
    { field: 'tags', snippet: 'dark <mark>red</mark> <mark>red</mark>', matchedTokens: ['red'] },
    { field: 'author.name', snippet: '<mark>Red</mark> Bob', matchedTokens: ['Red'] },
  ]);
});

const piece = fc.oneof(
  fc.constantFrom(
    'red',
    'Red',
    "red's",
    'blue',
    'wine',
    's',
    ' ',
    ' ',
    "'",
    '.',
    '<',
    '&',
    '"',
    '<mark>',
    '</mark>',
  ),
  fc.constantFrom('東', '京', 'é', 'e\u0301', 'r\u00aded', '\u0640', '\u00a8', 'ﬁ', '😀'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 150 }).map((pieces) => pieces.join(' ')),
);

test('the same as written plainly, whatever the texts', () => {
  const words = fc.subarray(['red', 'wine', 'blue', 's', '東京', '京', 'e', 'fi']);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), text, words, (list, alone, matching) => {
      const document = { list, alone };
      const expected = plainHighlight(document, null, (word) => matching.includes(word));
      expect(highlight(document, ...matching)).toEqual(expected);
      const atOnce = new Highlighter(matcher(...matching)).highlightAtOnce(textsAtOnce(document, null));
      expect(atOnce).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('whatever the text, the snippet without its marks is the escaped text or a part of it', () => {
  fc.assert(
    fc.property(text, (text) => {
      const snippet = snippetOf(text, 'red', '東京', 'mark');
      const hasMatch = tokenize(text).some(({ token }) => ['red', '東京', 'mark'].includes(token));
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
