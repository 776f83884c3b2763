// @vitest-environment node
import { expect, it } from 'vitest';
import { overrideName } from './override-name.ts';

const rule = { query: 'space station', match: 'exact' } as const;

it.each([
  ['1789fe19-5921-47b2-bf20-d79a7aade814', 'of “space station”'],
  ['summer sale', '“summer sale”'],
])('an override with the id %s is called %s', (id, name) => {
  expect(overrideName({ id, rule })).toBe(name);
});
