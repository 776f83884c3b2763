import { expect, test, vi } from 'vitest';
import { HolderCursor } from '../lexical/holder-cursor.ts';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';

/** Of three hundred papers, each with twelve of sixty words, in an order that their scores do not tell. */
const papers = Array.from({ length: 300 }, (_, i) => {
  const words = Array.from({ length: 12 }, (_unused, n) => `word${(i * 7 + n * (1 + (i % 5))) % 60}`);
  return document(String(i), { title: words.join(' '), year: (i * 31) % 97 });
});
const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');

test('a page in another order than that of the scores opens the list of each word once for all of its hits', () => {
  const index = indexOf(papers);
  const sort = [{ field: 'year', descending: true }];
  const opensFor = (limit: number) => {
    const open = vi.spyOn(HolderCursor.prototype, 'open');
    const { hits } = index.search(searchFor({ text, match: 'any', limit, sort }));
    const { length } = open.mock.calls;
    open.mockRestore();
    expect(hits).toHaveLength(limit);
    return length;
  };
  expect(opensFor(250)).toBeLessThanOrEqual(opensFor(1) + 60);
});
