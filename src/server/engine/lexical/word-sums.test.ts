import { expect, it, vi } from 'vitest';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';
import type { SearchQuery } from '../types.ts';
import { HolderCursor } from './holder-cursor.ts';

/** Of the letters a to p, by which they do not resemble each other. */
const words = Array.from({ length: 48 }, (_, i) => 'abcdefghijklmnop'[i % 16]?.repeat(5 + (i >>> 4)) ?? '');
const size = 3_000;
const index = indexOf(
  Array.from({ length: size }, (_, i) =>
    document(`d${i}`, { text: words.filter((_, place) => (i * (place + 3)) % 7 < 3).join(' ') }),
  ),
);

it.each<[string, Partial<SearchQuery>]>([
  ['what most of its weight is covered by', {}],
  ['any', { match: 'any' }],
  ['any, sorted by score', { match: 'any', sort: [{ field: '_text_match', descending: false }] }],
])('looks few documents up in the lists of many words: %s', (_, query) => {
  const look = vi.spyOn(HolderCursor.prototype, 'advance');
  const { found } = index.search(searchFor({ text: words.join(' '), ...query, highlightFields: [] }));
  expect(found).toBeGreaterThan(size / 4);
  // Those of which it is known that they can score most.
  expect(look.mock.calls.length).toBeLessThan((size * words.length) / 8);
  look.mockRestore();
});
