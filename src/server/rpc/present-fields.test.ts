import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentList } from '#shared/documents.ts';
import { searchInput, similarInput } from '#shared/search.ts';
import { presentFields } from './present-fields.ts';

/** What a schema makes of an input: the value, or its faults. */
async function outcome(schema: typeof searchInput | typeof similarInput, input: unknown): Promise<unknown> {
  const { success, data, error } = await schema.parseAsync(input).then(
    (data) => ({ success: true, data, error: null }),
    (error: unknown) => ({ success: false, data: null, error }),
  );
  return { success, data, issues: error instanceof Error && 'issues' in error ? error.issues : error };
}

const values = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('true', '10', '-1', '1.5', 'all', 'rrf', 'a,b', ' ', '1,2', undefined, null, true),
  fc.double(),
  fc.integer({ min: -2, max: 300 }),
  fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.double()), { maxLength: 3 }),
  fc.record({ vector: fc.array(fc.double(), { maxLength: 2 }), k: fc.integer() }, { requiredKeys: [] }),
);

test.each([
  ['a search', searchInput],
  ['a search for similar documents', similarInput],
])('%s is read as its schema reads it', async (_, schema) => {
  const present = presentFields(schema);
  const names = [...Object.keys(schema.shape), 'unknown', '__proto__', 'toString'];
  const fields = fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 5 });
  const named = fields.map((some) => ({ ...some, collection: 'things', id: 'a' }));
  const whole = fields.map((some) => ({ ...some, collection: 'things' }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fields, named, whole, values), async (input) => {
      expect(await outcome(present, input)).toEqual(await outcome(schema, input));
    }),
    { numRuns: 2_000 },
  );
});

test('fields that are absent have their defaults, those of a search none', async () => {
  const listed = await presentFields(documentList).parseAsync({ collection: 'things' });
  expect(listed).toEqual({ collection: 'things', page: 1, per_page: 10 });
  const search = { collection: 'things', q: 'river', per_page: '3' };
  expect(await presentFields(searchInput).parseAsync(search)).toEqual({ ...search, per_page: 3 });
});
