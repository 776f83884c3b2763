import { describe, expect, it } from 'vitest';
import {
  document,
  fromSnapshot,
  idsFound,
  indexOf,
  searchFor,
  smallSettings,
  snapshotOf,
} from './testing/fixtures.ts';
import type { Analyzer } from './text/analyzer.ts';
import { english } from './text/english.ts';
import { foldWord } from './text/fold.ts';
import type { IndexSettings } from './types.ts';

/** Stems that begin otherwise than their words do, letters that ASCII words have too, and stop words of its own. */
const odd: Analyzer = {
  name: 'odd',
  words: { fold: (word) => foldWord(word).replaceAll('v', 'w'), isAsciiPlain: false },
  stem: (word) => (word === 'went' ? 'go' : word),
  isStemBeginning: false,
  stopWords: new Set(['wia']),
};
const settings: IndexSettings = { ...smallSettings, analyzer: odd };
const index = indexOf(
  [
    document('went', { title: 'She went via Vienna', text: 'idiot box' }),
    document('via', { title: 'via appia' }),
    document('stay', { title: 'She stays' }),
  ],
  settings,
);
const plain = { prefix: false, typosMax: 0 } as const;

describe('an index with an analyzer of its own', () => {
  it('reads documents and queries by its rules', () => {
    expect(idsFound(index, { ...plain, text: 'go' })).toEqual(['went']);
    expect(idsFound(index, { ...plain, text: 'WIENNA' })).toEqual(['went']);
    // The analyzer's stop word, and no English one.
    expect(idsFound(index, { ...plain, text: 'via vienna', match: 'any' })).toEqual(['went']);
    expect(idsFound(index, { ...plain, text: 'she stays', match: 'any' }).sort()).toEqual(['stay', 'went']);
  });

  it('marks and finds phrases of words that share no letter with their stem', () => {
    const highlights = (text: string) =>
      index.search(searchFor({ ...plain, text, fields: [{ name: 'title', weight: 1 }] })).hits[0]?.highlights;
    expect(highlights('go')?.[0]?.snippet).toBe('She <mark>went</mark> via Vienna');
    const synonyms = [{ words: ['trip'], alternatives: [['she', 'go']] }];
    expect(idsFound(index, { ...plain, text: 'trip', synonyms })).toEqual(['went']);
  });

  it('filters by words as it reads them', () => {
    expect(idsFound(index, { text: '*', filter: 'title:wienna' })).toEqual(['went']);
    // Forms of one word are told apart, as in any filter.
    expect(idsFound(index, { text: '*', filter: 'title:go' })).toEqual([]);
  });

  it('opens its snapshot again, and none that was read by other rules', () => {
    const snapshot = snapshotOf(index);
    const decoded = fromSnapshot(snapshot, settings);
    if ('refused' in decoded) throw new Error(decoded.refused);
    expect(idsFound(decoded.index, { ...plain, text: 'go' })).toEqual(['went']);
    const refused = { refused: 'it was read as odd, not as en' };
    expect(fromSnapshot(snapshot, smallSettings)).toEqual(refused);
    expect(fromSnapshot(snapshot, { ...smallSettings, analyzer: english })).toEqual(refused);
  });
});
