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
