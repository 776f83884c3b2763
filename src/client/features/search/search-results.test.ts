// @vitest-environment node
import { expect, it } from 'vitest';
import { lastPage } from './search-results.ts';

it('the last page ends where the server does', () => {
  expect([lastPage(0), lastPage(10), lastPage(11), lastPage(1e6)]).toEqual([1, 1, 2, 1_000]);
});
