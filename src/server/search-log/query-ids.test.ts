import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretBox } from '#server/auth/secrets/secret-box.ts';
import { searchModes } from '#shared/search.ts';
import { newSearchNumber, QueryIds } from './query-ids.ts';

const idsOf = (secret: string) => {
  const box = createSecretBox(secret);
  return new QueryIds((text) => box.sign('searches', text));
};
const ids = idsOf('a secret for tests, long enough to be one');
const at = new Date('2026-06-01T12:34:00.000Z');
const ref = { mode: 'hybrid', at, key: 7, search: 9 } as const;

test('an id tells its search, to its collection and to no other', () => {
  const number = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(
      fc.constantFrom(...searchModes),
      number,
      number,
      fc.nat(),
      (mode, key, search, collection) => {
        const given = { mode, at, key, search };
        const id = ids.issue(collection, given);
        expect(id).toMatch(/^[\w-]{35}$/);
        expect(ids.read(collection, id, at)).toEqual(given);
        expect(ids.read(collection + 1, id, at)).toBeNull();
      },
    ),
  );
});

test('an id that was changed, shortened, made up or signed by somebody else is none', () => {
  const id = ids.issue(1, ref);
  for (let i = 0; i < id.length; i += 1) {
    const other = id[i] === 'A' ? 'B' : 'A';
    expect(ids.read(1, id.slice(0, i) + other + id.slice(i + 1), at), `character ${i}`).toBeNull();
  }
  for (const wrong of ['', 'x', id.slice(1), id.slice(0, -1), `${id}A`, 'é'.repeat(35)])
    expect(ids.read(1, wrong, at), wrong).toBeNull();
  expect(idsOf('another secret that is long enough as well').read(1, id, at)).toBeNull();
});

test('an id that a server gave out before it was started anew is good', () => {
  const given = { mode: 'hybrid', at, key: 2 ** 47 + 258, search: 2 ** 40 + 9 } as const;
  const id = 'AgHEwhKAAAAAAQIBAAAAAAkdZCZSWFF2cCM';
  expect(ids.issue(1, given)).toBe(id);
  expect(ids.read(1, id, at)).toEqual(given);
});

test('an id is good for thirty days', () => {
  const id = ids.issue(1, ref);
  const after = (days: number) => new Date(at.getTime() + days * 24 * 60 * 60_000);
  expect(ids.read(1, id, after(30))).not.toBeNull();
  expect(ids.read(1, id, after(30.01))).toBeNull();
});

test('numbers of searches differ', () => {
  const numbers = Array.from({ length: 10_000 }, newSearchNumber);
  expect(new Set(numbers).size).toBe(numbers.length);
});
