import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmacOf } from './hmac.ts';

test('it is what node:crypto makes, for every key of a block and every text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(text, { maxLength: 3 }), (key, texts) => {
      const sign = hmacOf(key);
      for (const given of texts)
        expect(sign(given)).toBe(createHmac('sha256', key).update(given).digest('base64url'));
    }),
  );
});

test('a key of more than a block is refused', () => {
  expect(() => hmacOf(new Uint8Array(65))).toThrow(RangeError);
});
