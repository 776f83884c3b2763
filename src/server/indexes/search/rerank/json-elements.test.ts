import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonElements } from './json-elements.ts';

test('the elements of any array, as they are written', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ noUnicodeString: false })), (values) => {
      const parts = jsonElements(Buffer.from(JSON.stringify(values)));
      expect(parts.map((part) => Buffer.from(part).toString())).toEqual(
        values.map((value) => JSON.stringify(value)),
      );
    }),
  );
});
