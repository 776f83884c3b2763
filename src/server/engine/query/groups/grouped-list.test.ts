import { expect, test } from 'vitest';
import { document, indexOf, searchFor } from '../../testing/fixtures.ts';

test('groups on a short page of a long sorted list show their first hits in that order', () => {
  // Twenty groups of three; the later the group and the document in it, the lower its price.
  const documents = Array.from({ length: 60 }, (_, i) =>
    document(String(i).padStart(2, '0'), { shop: `shop ${i % 20}`, price: 60 - i }),
  );
  const asked = {
    text: '*',
    sort: [{ field: 'price', descending: false }],
    group: { fields: ['shop'], limit: 3, joinsMissing: true },
  };
  const index = indexOf(documents);
  const idsOf = (limit: number) => index.search(searchFor({ ...asked, limit })).hits.map(({ id }) => id);
  expect(idsOf(1)).toEqual(['59', '39', '19']);
  expect(idsOf(2)).toEqual(idsOf(20).slice(0, 6));
});

test('lists of several types are one group where they have the same values, in whatever order', () => {
  const values: unknown[] = [
    [-1, 0],
    [-1, false],
    [0, -1],
    [1, true],
    [1, 'true'],
    [true, 1],
    [0],
    0,
    [false],
    [],
    null,
    [2, 2],
    [2],
  ];
  const index = indexOf(values.map((value, i) => document(String(i).padStart(2, '0'), { value })));
  const group = { fields: ['value'], limit: 9, joinsMissing: true };
  const { hits, groups } = index.search(searchFor({ text: '*', group, limit: 99 }));
  const ids = hits.map(({ id }) => Number(id));
  expect(groups?.map(({ hits: count }) => ids.splice(0, count))).toEqual([
    [0, 2],
    [1],
    [3, 5],
    [4],
    [6, 7],
    [8],
    [9, 10],
    [11, 12],
  ]);
});
