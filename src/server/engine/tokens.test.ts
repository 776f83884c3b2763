import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from './steps.ts';
import {
  document,
  fromSnapshot,
  idsFound,
  indexOf,
  searchFor,
  smallSettings,
  snapshotOf,
  titles,
} from './testing/fixtures.ts';

/** Codes, numbers, symbols and emoji, as people write them in one way and look for them in another. */

const plain = { prefix: false, typosMax: 0, match: 'all' } as const;

describe('a word is found however it is written', () => {
  it.each([
    ['xj200', ['Pump XJ-200', 'pump XJ200', 'pump xj_200'], ['pump XJ 210', 'pump 200']],
    ['XJ-200', ['Pump XJ-200', 'pump XJ200', 'pump XJ 200'], ['pump XJ-210']],
    ['oneill', ["Eugene O'Neill", 'Eugene O’Neill', 'Eugene ONeill'], ['Neill']],
    ["o'neill", ["Eugene O'Neill", 'Eugene Oneill'], ['Neill']],
    ['dont', ["Don't look up", 'dont look up'], ['look up']],
    ['c++', ['A C++ primer', 'C++11 and later'], ['A C primer', 'C# in depth']],
    ['C#', ['C# in depth', 'F# and C#.'], ['A C primer', 'C++']],
    ['.net', ['.NET Core', 'ASP.NET Core', '(.NET)'], ['the net', 'Net.']],
    ['.pdf', ['report.pdf'], ['pdf report']],
    ['at&t', ['AT&T Inc.', 'ATT'], ['at tea t', 'at the']],
    ['4.5', ['Version 4.5', 'about 4,5 metres', 'v4.5.1', '4.5mm'], ['45', '5 of 4', '4 5', '14.5']],
    ['4,5', ['Version 4.5', 'about 4,5 metres'], ['45']],
    ['1000', ['1,000 dogs', '1000 dogs'], ['1.0 dogs']],
    ['1,234,567', ['1234567 people', '1,234,567 people'], ['1,234 people']],
    ['3.11', ['Python-3.11 is out'], ['Python-3.12 is out']],
    ['8.5', ['7.5-8.5 mm'], ['7.5-8.6 mm']],
    ['1.2.3', ['v1.2.3-beta'], ['v1.2.4-beta']],
    ['2.0.1', ['release 2.0.1'], ['release 2.0', 'release 2.0.10']],
    [
      'anna.smith@example.com',
      ['mail anna.smith@example.com now', 'annasmith@examplecom'],
      ['anna at example'],
    ],
    ['/usr/local/bin', ['in /usr/local/bin it lies'], ['usr bin']],
    ['9783161484100', ['ISBN 978-3-16-148410-0'], ['978-3-16']],
    ['🍕', ['Pizza 🍕!', '🍕🍕'], ['Pizza', '🍔']],
    ['❤', ['I ❤️ it', 'I ❤ it'], ['I 💔 it']],
    ['👍', ['👍🏽', 'ok 👍'], ['👎']],
    ['🇫🇷', ['Vive 🇫🇷'], ['🇩🇪', '🇫']],
    ['👩‍🚀', ['An 👩‍🚀 in space'], ['An 👩 on earth']],
  ])('%s', (text, found, others) => {
    const index = titles(...found, ...others);
    const expected = found.map((_, i) => String(i));
    expect(idsFound(index, { ...plain, text }).sort()).toEqual(expected.sort());
  });

  it('as it is typed, too', () => {
    const index = titles('Pump XJ-200', 'pump XJ-300', 'Version 4.51');
    expect(idsFound(index, { text: 'xj2', typosMax: 0, match: 'all' })).toEqual(['0']);
    expect(idsFound(index, { text: '4.5', typosMax: 0, match: 'all' })).toEqual(['2']);
  });
});

describe('highlights mark what was typed', () => {
  it.each([
    ['xj200', 'The XJ-200 & more', 'The <mark>XJ-200</mark> &amp; more'],
    ['c++', 'A C++ primer', 'A <mark>C++</mark> primer'],
    ['.net', 'All of .NET', 'All of <mark>.NET</mark>'],
    ['at&t', 'AT&T', '<mark>AT&amp;T</mark>'],
    ['4.5', 'About 4,5 m', 'About <mark>4,5</mark> m'],
    ['🍕', '🍕', '<mark>🍕</mark>'],
    ['🍕', 'A 🍕 it is', 'A <mark>🍕</mark> it is'],
    ['primer', 'A C++ primer', 'A C++ <mark>primer</mark>'],
  ])('%s in %s', (text, title, snippet) => {
    const [hit] = titles(title).search(searchFor({ ...plain, text })).hits;
    expect(hit?.highlights.map((each) => each.snippet)).toEqual([snippet]);
  });
});

describe('filters and completions', () => {
  const index = titles('Pump XJ-200', 'pump xj200', 'A C++ primer', 'pizza 🍕', '4.5');
  it('know the words alone', () => {
    const filtered = (filter: string) => idsFound(index, { text: '*', filter });
    expect(filtered('title:xj200')).toEqual(['1']);
    expect(filtered('title:xj2*')).toEqual(['1']);
    expect(filtered('title:XJ-200')).toEqual(['0']);
    expect(filtered('title:c')).toEqual(['2']);
    expect(filtered('title:🍕')).toEqual([]);
  });

  it('know them alone also where another field of the document has the word', () => {
    const index = indexOf([document('both', { title: 'XJ200', text: 'an XJ-200' })]);
    expect(idsFound(index, { text: '*', filter: 'text:xj200' })).toEqual([]);
    expect(idsFound(index, { text: '*', filter: 'title:xj200' })).toEqual(['both']);
  });

  it('offer no word that no text has by itself', () => {
    const words = titles('an XJ-200');
    expect(runSteps(words.completeWords({ prefix: 'xj2', typosMax: 0, limit: 5 }))).toEqual([]);
  });

  it('is so after deletions, a compaction and a snapshot', () => {
    const changed = indexOf([
      ...Array.from({ length: 1_500 }, (_, i) => document(`x${i}`, { title: `XJ-200 number${i} xj200` })),
      document('joined', { title: 'XJ-200' }),
      document('plain', { title: 'xj200' }),
    ]);
    changed.apply({ version: 2, puts: [], deletes: Array.from({ length: 1_500 }, (_, i) => `x${i}`) });
    const decoded = fromSnapshot(snapshotOf(changed), smallSettings);
    if ('refused' in decoded) throw new Error(decoded.refused);
    for (const each of [changed, decoded.index]) {
      expect(idsFound(each, { text: '*', filter: 'title:xj200' })).toEqual(['plain']);
      expect(idsFound(each, { ...plain, text: 'xj200' }).sort()).toEqual(['joined', 'plain']);
    }
  });

  it('filter as a plain look at each text does, whatever joins words', () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab12-'.&+# 🍕"), maxLength: 12 });
    const word = fc.constantFrom('a', 'b', 'ab', '12', 'a12', 'ab12', '1', '2', 'b1');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), word, (texts, word) => {
        const expected = texts.flatMap((each, i) =>
          each
            .toLowerCase()
            .split(/[^a-z0-9]+/)
            .includes(word)
            ? [String(i)]
            : [],
        );
        expect(idsFound(titles(...texts), { text: '*', filter: `title:${word}` }).sort()).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
