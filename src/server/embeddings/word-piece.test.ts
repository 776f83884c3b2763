import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { nastyTexts } from '../engine/testing/nasty-texts.ts';
import { normalisingSteps } from '../engine/testing/normalising-steps.ts';
import { WordPiece } from './word-piece.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('remembers words, not the texts in which it met them', () => {
  const pieces = new WordPiece('[UNK]\na');
  const before = heapBytes();
  for (let i = 0; i < 300; i += 1) {
    const word = `word${String(i).padStart(12, 'x')}`;
    const text = `${'a '.repeat(30_000)}${i}`;
    expect(pieces.words(`${word} ${text}`, 2)[0]?.text).toBe(word);
  }
  // The texts are 18 MB.
  expect(heapBytes() - before).toBeLessThan(4_000_000);
});

it('keeps a bounded part of the words that it met', () => {
  const pieces = new WordPiece('[UNK]\na');
  const before = heapBytes();
  for (let from = 0; from < 200_000; from += 5_000) {
    const words = Array.from({ length: 5_000 }, (_, i) => `word${from + i}`);
    expect(pieces.words(words.join(' '), 5_000)).toHaveLength(5_000);
  }
  expect(heapBytes() - before).toBeLessThan(14_000_000);
});

it('reads a text alike, whatever it remembers', () => {
  const tokens = '[UNK]\na\nb\nab\n##a\n##b\n##ba';
  const many = new WordPiece(tokens);
  const few = new WordPiece(tokens, 1_000);
  const none = new WordPiece(tokens, 0);
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'x'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), fc.nat(30), (words, tokensMax) => {
      const expected = many.words(words.join(' '), tokensMax);
      expect(few.words(words.join(' '), tokensMax)).toEqual(expected);
      expect(none.words(words.join(' '), tokensMax)).toEqual(expected);
    }),
  );
});

describe('a text normalises in time linear in it:', () => {
  it.each(Object.entries(nastyTexts))('%s', (_, textOf) => {
    const pieces = new WordPiece('[UNK]\na');
    const { steps } = normalisingSteps(() => pieces.words(textOf(40_000), 1_000_000));
    // A mark of a run of 30 is 30 steps.
    expect(steps).toBeLessThanOrEqual(40 * 40_000);
  });
});

it('leaves a text with runs of at most 30 marks as it is', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pieces = new WordPiece(['[UNK]', ...letters, ...letters.map((each) => `##${each}`)].join('\n'));
  const accents = fc.string({ unit: fc.constantFrom('\u0301', '\u0323', '\u0344'), maxLength: 30 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...letters), accents)), (parts) => {
      const plain = parts.map(([letter]) => letter).join('');
      const marked = parts.flat().join('');
      expect(pieces.words(marked, 1_000).map(({ text }) => text)).toEqual(plain === '' ? [] : [plain]);
    }),
  );
});

it('looks for pieces no longer than the longest that it knows', () => {
  const pieces = new WordPiece('[UNK]\naaa\na\n##a');
  const lookups = vi.spyOn(Map.prototype, 'get');
  const [word] = pieces.words(`${'a'.repeat(99)}b`, 10);
  const lookupCount = lookups.mock.calls.length;
  lookups.mockRestore();
  expect(word?.pieces).toEqual([100]);
  // The longest is [UNK].
  expect(lookupCount).toBeLessThanOrEqual(5 * 100);
});
