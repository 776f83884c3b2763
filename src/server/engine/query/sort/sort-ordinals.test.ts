import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { sortOrdinals } from './sort-ordinals.ts';

const isBefore = (a: number, b: number): boolean => a < b;

type Value = string | number | boolean;
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom('b', 'B', 'a', 'É', 'é', 'ab', ''),
  fc.integer({ min: -2, max: 2 }),
  fc.boolean(),
);
const document = fc.record(
  { a: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), n: fc.nat(3), score: fc.option(fc.nat(2)) },
  { requiredKeys: [] },
);

const classOf = (value: Value): number => ['number', '', 'boolean', 'string'].indexOf(typeof value);

function compareValues(a: Value, b: Value): number {
  const [x, y] = [a, b].map((value) =>
    typeof value === 'string' ? value.toUpperCase().toLowerCase() : value,
  );
  if (x === undefined || y === undefined || x === y) return 0;
  return x < y ? -1 : 1;
}

/** What stands for a document: of its first class of values the smallest, or the largest when descending. */
function representative(value: unknown, descending: boolean): Value | null {
  const values = ([value].flat() as (Value | undefined | null)[]).filter(
    (each) => each !== undefined && each !== null,
  );
  const first = Math.min(...values.map(classOf));
  const own = values.filter((each) => classOf(each) === first).sort(compareValues);
  return (descending ? own.at(-1) : own[0]) ?? null;
}

test('orders as comparing documents one by one would', () => {
  const key = fc.record({ field: fc.constantFrom('a', 'n', '_score', 'unknown'), descending: fc.boolean() });
  fc.assert(
    fc.property(fc.array(document, { maxLength: 20 }), fc.array(key, { maxLength: 3 }), (documents, keys) => {
      const columns = new ColumnStore([]);
      for (const [ordinal, each] of documents.entries())
        runSteps(columns.add(ordinal, { a: each.a, n: each.n }));
      const expected = documents
        .map((_, ordinal) => ordinal)
        .sort((a, b) => {
          for (const { field, descending } of keys) {
            const [x, y] = [a, b].map((ordinal) => {
              const each = documents[ordinal];
              const value =
                field === 'a' ? each?.a : field === 'n' ? each?.n : field === '_score' ? each?.score : null;
              return representative(value, descending);
            });
            if (x === null || x === undefined || y === null || y === undefined) {
              if (x === y) continue;
              return x === null ? 1 : -1;
            }
            const order = classOf(x) - classOf(y) || compareValues(x, y);
            if (order !== 0) return descending ? -order : order;
          }
          return a - b;
        });
      // Given backwards, so that nothing is in order by accident.
      const given = Int32Array.from(expected.keys()).reverse();
      const scoreOf = (ordinal: number): number | null => documents[ordinal]?.score ?? null;
      expect([...runSteps(sortOrdinals(given, keys, { columns, scoreOf, isBefore }))]).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('dates sort as dates, whatever their offset, and id sorts as ties do', () => {
  const columns = new ColumnStore([]);
  runSteps(columns.add(0, { at: '2024-01-01T00:00:00-05:00' }));
  runSteps(columns.add(1, { at: '2024-01-01T04:00:00Z' }));
  runSteps(columns.add(2, {}));
  const all = Int32Array.of(0, 1, 2);
  const sorted = (field: string, descending: boolean): number[] => [
    ...runSteps(sortOrdinals(all, [{ field, descending }], { columns, scoreOf: () => null, isBefore })),
  ];
  expect(sorted('at', false)).toEqual([1, 0, 2]);
  expect(sorted('at', true)).toEqual([0, 1, 2]);
  expect(sorted('id', true)).toEqual([2, 1, 0]);
});
