import { expect, test } from 'vitest';
import { procedures } from './procedures.ts';

test('what is called a list has pages: the console asks for each page of what is called so', () => {
  const lists = [...procedures.values()].filter(({ name }) => name.endsWith('.list'));
  expect(lists.length).toBeGreaterThan(10);
  const pageless = lists.filter(({ input }) => {
    const { issues = [] } = input?.safeParse({ page: 1, per_page: 250 }).error ?? {};
    return issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('page'));
  });
  expect(pageless.map(({ name }) => name)).toEqual([]);
});
