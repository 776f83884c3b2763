import { expect, test } from 'vitest';
import { collectionCreate } from './collections.ts';

test('a declared field whose name is taken is named by its place', () => {
  const fields = ['price', 'year', 'price '].map((name) => ({ name, type: 'number' }));
  const { error } = collectionCreate.safeParse({ name: 'films', metadata: { fields } });
  expect(error?.issues).toMatchObject([
    { path: ['metadata', 'fields', 2, 'name'], message: 'field names must differ' },
  ]);
});
