import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '#shared/documents.ts';
import { mergeBoth } from './merge-both.ts';

const document = fc.dictionary(fc.constantFrom('id', 'a', 'b', 'c', '__proto__'), fc.jsonValue(), {
  maxKeys: 5,
}) as fc.Arbitrary<Record<string, JsonValue>>;
const value = (of: Record<string, JsonValue>, field: string) =>
  Object.hasOwn(of, field) ? JSON.stringify(of[field]) : 'absent';
const fields = ['id', 'a', 'b', 'c', '__proto__'];

test('each field is what was made of it by who has changed it', () => {
  const base = { id: '1', title: 'Milk', price: 2, tags: ['a'] };
  const theirs = { id: '1', title: 'Oat milk', price: 2, stock: 4, tags: ['a'] };
  const yours = { id: '1', title: 'Milk', price: 3, shelf: 'B' };
  expect(mergeBoth(base, theirs, yours)).toEqual({
    document: { id: '1', title: 'Oat milk', price: 3, stock: 4, shelf: 'B' },
    clashes: [],
  });
});

test('of what both have changed yours stands, and it is named unless both made the same of it', () => {
  const base = { id: '1', title: 'Milk', price: 2, note: 'x' };
  const theirs = { id: '1', title: 'Oat milk', price: 3 };
  const yours = { id: '1', title: 'Soy milk', price: 3, note: 'y' };
  expect(mergeBoth(base, theirs, yours)).toEqual({
    document: { id: '1', title: 'Soy milk', price: 3, note: 'y' },
    clashes: ['title', 'note'],
  });
});

test('a side that changed nothing adds nothing, and every field comes from one side', () => {
  fc.assert(
    fc.property(document, document, document, (base, theirs, yours) => {
      const [onlyTheirs, onlyYours] = [mergeBoth(base, theirs, base), mergeBoth(base, base, yours)];
      expect([...onlyTheirs.clashes, ...onlyYours.clashes]).toEqual([]);
      for (const field of fields) {
        expect(value(onlyTheirs.document, field)).toBe(value(theirs, field));
        expect(value(onlyYours.document, field)).toBe(value(yours, field));
      }
      const { document: merged, clashes } = mergeBoth(base, theirs, yours);
      for (const field of fields) {
        const [was, their, your] = [base, theirs, yours].map((of) => value(of, field));
        const isClash = their !== was && your !== was && their !== your;
        expect(clashes.includes(field)).toBe(isClash);
        expect(value(merged, field)).toBe(your === was ? their : your);
      }
    }),
  );
});
