import { expect, test } from 'vitest';
import { collectionCreate } from './collections.ts';

test('a declared field whose name is taken is named by its place', () => {
  const fields = ['price', 'year', 'price '].map((name) => ({ name, type: 'number' }));
  const { error } = collectionCreate.safeParse({ name: 'films', metadata: { fields } });
  expect(error?.issues).toMatchObject([
    { path: ['metadata', 'fields', 2, 'name'], message: 'field names must differ' },
  ]);
});

test('metadata is small enough for a list of many collections', () => {
  const issuesWith = (letters: number) => {
    const fields = Array.from({ length: 400 }, (_, i) => ({
      name: `${i}${'ж'.repeat(letters)}`,
      type: 'string',
    }));
    return collectionCreate.safeParse({ name: 'films', metadata: { fields } }).error?.issues;
  };
  expect(issuesWith(130)).toBeUndefined();
  expect(issuesWith(150)).toMatchObject([{ path: ['metadata'], message: 'must be at most 128 KB as JSON' }]);
});
