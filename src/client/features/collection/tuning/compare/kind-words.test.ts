import { expect, it } from 'vitest';
import { countWords } from './kind-words.ts';

it('says of a query that found nothing before that it now finds something', () => {
  const counts = { emptied: 0, rescued: 1, lost: 0, gained: 0, moved: 0, same: 2 };
  expect(countWords(3, counts)).toBe('Of 3 queries: 1 finding something now, 2 the same.');
});
