import { describe, expect, it } from 'vitest';
import { TermDictionary } from './term-dictionary.ts';

describe('the order of words', () => {
  const words = Array.from({ length: 3000 }, (_, i) => `w${((i * 7919) % 3000).toString(36)}`);

  it('is the same however many come before it is read, and after a compaction', () => {
    const settled = new TermDictionary();
    const late = new TermDictionary();
    for (const word of words) {
      settled.countDocument(settled.addWord(word), 1);
      settled.settle();
      late.countDocument(late.addWord(word), 1);
    }
    const kept = settled.compacted((id) => settled.documentsOf(id) > 0).dictionary;
    for (const prefix of ['', 'w', 'w1', 'w2b', 'x']) {
      const expected = words.filter((word) => word.startsWith(prefix)).sort();
      for (const dictionary of [settled, late, kept])
        expect(dictionary.wordsFrom(prefix).map((id) => dictionary.textOf(id))).toEqual(expected);
    }
  });
});
