import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryCursor } from './entry-cursor.ts';
import { EntryList } from './entry-list.ts';

const entries = fc
  .array(fc.nat(40), { maxLength: 60 })
  .map((ordinals) => ordinals.toSorted((a, b) => a - b).map((ordinal, i) => ({ ordinal, value: i })));

test('a cursor finds the values of any document, in whatever order they are asked for', () => {
  fc.assert(
    fc.property(entries, fc.array(fc.nat(45), { maxLength: 40 }), fc.boolean(), (pairs, asked, isSorted) => {
      const list = new EntryList(new Float64Array(0));
      for (const { ordinal, value } of pairs) list.add(ordinal, value);
      const cursor = new EntryCursor(list);
      for (const ordinal of isSorted ? asked.toSorted((a, b) => a - b) : asked) {
        cursor.moveTo(ordinal);
        expect(Array.from(list.values.subarray(cursor.start, cursor.end))).toEqual(
          pairs.filter((pair) => pair.ordinal === ordinal).map(({ value }) => value),
        );
      }
    }),
  );
});
