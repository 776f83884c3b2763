import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../testing/runs.ts';
import { othersOf, readQueryText, textParts, tokenize } from './analyzer.ts';
import { hasOthers, OtherWords } from './other-words.ts';
import { plainWords } from './word-rules.ts';
import { WordSpans } from './word-spans.ts';

function others(text: string) {
  const spans = new WordSpans();
  spans.read(text);
  return othersOf(text, spans, plainWords);
}
const told = (text: string) => others(text).map(({ word, kind }) => `${kind} ${word}`);

it('tells what stands beside the words of a text', () => {
  expect(told('XJ-200')).toEqual(['joined xj200']);
  expect(told('C++, C#; .NET')).toEqual(['whole c++', 'whole c#', 'whole .net']);
  expect(told('AT&T')).toEqual(['whole at&t', 'joined att']);
  expect(told('salt&pepper')).toEqual(['joined saltpepper']);
  expect(told('4,5 1,234.5 v2.0.1')).toEqual([
    'whole 4.5',
    'whole 1234.5',
    'whole v2.0.1',
    'part 2.0.1',
    'part 2.0',
  ]);
  expect(told('a.b@c.org')).toEqual(['joined abcorg', 'joined ab', 'joined corg', 'part .org']);
  expect(told('👩🏽‍🚀❤️🇫🇷')).toEqual(['whole 👩‍🚀', 'whole ❤', 'whole 🇫🇷']);
  expect(told("one two, three. The user's © 2024™ a--b a - b 東京-大阪 a-\u0640")).toEqual([]);
  // A sentence is no word.
  expect(told('a-b-c-d-e-f-g-h')).toEqual(['joined abcdefgh']);
  expect(told('a-b-c-d-e-f-g-h-i')).toEqual([]);
});

it('gives a query the words that mean something whole in place of their parts, and the others as they are', () => {
  expect(readQueryText("🍕 C++/C# 4.5 XJ-200 o'neill 東京")).toEqual({
    words: ['🍕', 'c++', 'c#', '4.5', 'xj', '200', 'o', 'neill', '東京'],
    joined: [
      { words: ['xj', '200'], joined: 'xj200' },
      { words: ['o', 'neill'], joined: 'oneill' },
    ],
  });
  expect(readQueryText('AT&T')).toEqual({ words: ['at&t'], joined: [{ words: ['at&t'], joined: 'att' }] });
});

const character = fc.constantFrom(
  ..."aB1 2-'’.,&/@+#_ é東",
  '🍕',
  '❤\ufe0f',
  '\u200d',
  '\u0640',
  '\u0301',
  '\ud800',
  '🏽',
  '🇫',
);
const text = fc.string({ unit: character, maxLength: 40 });

it('lies inside the text, at the words it is made of', () => {
  fc.assert(
    fc.property(text, (text) => {
      const spans = new WordSpans();
      spans.read(text);
      for (const { start, end, first, last, word } of others(text)) {
        expect(word).not.toBe('');
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        if (last < first) continue;
        expect(start).toBeLessThanOrEqual(spans.bounds[2 * first] ?? -1);
        expect(end).toBeGreaterThanOrEqual(spans.bounds[2 * last + 1] ?? Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: runs(2_000) },
  );
});

it('is the same part by part, and of a text within another', () => {
  const sorted = (words: string[]) => words.sort();
  fc.assert(
    fc.property(text, text, fc.nat(520), (a, b, shift) => {
      const long = `${'b '.repeat(shift)}${a}`;
      const parts = [...textParts(long)];
      expect(sorted(parts.flatMap((part) => part.others.map(({ word }) => word)))).toEqual(
        sorted(others(long).map(({ word }) => word)),
      );
      expect(parts.flatMap((part) => part.words)).toEqual(tokenize(long).map(({ token }) => token));
      // Nothing joins over a line.
      expect(sorted(told(`${a}\n${b}`))).toEqual(sorted([...told(a), ...told(b)]));
    }),
    { numRuns: runs(2_000) },
  );
});

it('every word of a query is found in a text that is the query', () => {
  fc.assert(
    fc.property(text, (text) => {
      const known = new Set([
        ...tokenize(text).map(({ token }) => token),
        ...others(text).map(({ word }) => word),
      ]);
      const { words, joined } = readQueryText(text);
      for (const word of [...words, ...joined.map((each) => each.joined)]) expect(known).toContain(word);
    }),
    { numRuns: runs(2_000) },
  );
});

it('finds those that begin with some characters at the words that do, and at those behind a point', () => {
  const ascii = fc.string({ unit: fc.constantFrom(..."aBnv12-'.,&/@+# "), maxLength: 40 });
  fc.assert(
    fc.property(ascii, fc.subarray([...'abnv12.']), (text, begun) => {
      const spans = new WordSpans();
      spans.read(text);
      const { bounds, bytes, count } = spans;
      if (bytes === null) throw new Error('it is ASCII');
      const firsts = new Set(begun.flatMap((each) => (/\d/.test(each) ? [each, 'v'] : [each])));
      const isSought = (i: number) => {
        const start = bounds[2 * i] ?? 0;
        const isBehindPoint = firsts.has('.') && text[start - 1] === '.';
        return isBehindPoint || firsts.has((text[start] ?? '').toLowerCase());
      };
      const words = Array.from({ length: count }, (_, i) => i);
      const places = words.filter((i) => isSought(i) && hasOthers(spans, bytes, i));
      const all = othersOf(text, spans, plainWords);
      const some = OtherWords.at(text, spans, { bytes, places, rules: plainWords });
      const isMeant = ({ word }: { word: string }) => begun.includes(word[0] ?? '');
      expect(some.filter(isMeant)).toEqual(all.filter(isMeant));
      for (const each of some) expect(all).toContainEqual(each);
    }),
    { numRuns: runs(3_000) },
  );
});

it('reads a query once for all that ask for it again, and anew by other rules', () => {
  const text = 'เป็นมนุษย์ Straße';
  const read = readQueryText(text);
  expect(readQueryText(`${text.slice(0, 5)}${text.slice(5)}`)).toBe(read);
  const upper = { fold: (word: string) => word.toUpperCase(), isAsciiPlain: false };
  expect(readQueryText(text, upper).words.at(-1)).toBe('STRASSE');
  expect(readQueryText(text)).toBe(read);
  expect(readQueryText('other')).not.toBe(read);
});
