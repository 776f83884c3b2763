import { expect, test } from 'vitest';
import { readsSoFar } from '../testing/checked-reads.ts';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';

test('a hybrid search reads the postings of what it ranks once, explained or not', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const heldBy = (i: number) => words.filter((_, at) => (i * 7_919 + at * 104_729) % 3 !== 0).join(' ');
  const size = 5_000;
  const index = indexOf(
    Array.from({ length: size }, (_, i) => document(String(i), { text: heldBy(i) }, [[i % 7, 1]])),
  );
  const asked = {
    text: words.join(' '),
    match: 'any' as const,
    prefix: false,
    vector: Float32Array.of(1, 1),
  };
  const readsOf = (isExplained: boolean) => {
    const query = searchFor({ mode: 'hybrid', ...asked, isExplained });
    // The first one makes lists that are kept.
    index.search(query);
    const before = readsSoFar();
    expect(index.search(query).found).toBe(size);
    return (readsSoFar() - before) / size;
  };
  // Scored again for the best of the words it would be 221, and for an explanation 328.
  expect(readsOf(false)).toBeLessThan(160);
  expect(readsOf(true)).toBeLessThan(180);
});
