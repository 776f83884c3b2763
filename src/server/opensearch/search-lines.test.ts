import { expect, test } from 'vitest';
import { SearchBytes, searchRequests } from './search-lines.ts';

const megabyte = 1024 * 1024;
const head = { index: 'films' };
const searchOf = (bytes: number) => ({ query: 'é'.repeat(bytes / 2) });
const requests = (searches: object[], bytesMax = Number.POSITIVE_INFINITY) =>
  searchRequests(head, searches, new SearchBytes(bytesMax));

test('many searches go in requests of 8 MB, in their order, and a longer one alone', () => {
  const sizes = [1, 3, 3, 3, 10, 1, 1].map((each) => each * megabyte);
  const sent = [...requests(sizes.map(searchOf))];
  expect(sent.map((lines) => lines.length / 2)).toEqual([3, 1, 1, 2]);
  const searches = sent.flatMap((lines) => lines.filter((_, i) => i % 2 === 1));
  expect(searches.map((line) => Math.floor(Buffer.byteLength(line) / megabyte) * megabyte)).toEqual(sizes);
  expect(new Set(sent.flatMap((lines) => lines.filter((_, i) => i % 2 === 0)))).toEqual(
    new Set([JSON.stringify(head)]),
  );
  expect(JSON.parse(searches[0] ?? '')).toEqual({
    track_total_hits: false,
    stored_fields: '_none_',
    docvalue_fields: [{ field: 'id' }],
    ...searchOf(megabyte),
  });
  expect([...requests([])]).toEqual([]);
});

test('a search is written when the one before it was sent, and none beyond the bytes of an answer', () => {
  let written = 0;
  const counted = Array.from({ length: 20 }, () => ({
    query: {
      toJSON: () => {
        written += 1;
        return 'x'.repeat(5 * megabyte);
      },
    },
  }));
  const sent = requests(counted, 32 * megabyte);
  sent.next();
  expect(written).toBe(2);
  const refused = expect.objectContaining({ code: 'UNPROCESSABLE' });
  expect(() => [...sent]).toThrow(refused);
  expect(written).toBe(7);
});
