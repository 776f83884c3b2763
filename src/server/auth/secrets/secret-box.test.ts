import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('a secret of at least thirty-two characters');

test('what is sealed can be opened with the same secret and binding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, binding) => {
      expect(box.open(box.seal(plaintext, binding), binding)).toBe(plaintext);
    }),
  );
});

test('the same text never looks the same, and is not to be seen in it', () => {
  const first = box.seal('vk_plain', 'api-key:1:2');
  expect(box.seal('vk_plain', 'api-key:1:2')).not.toEqual(first);
  expect(Buffer.from(first).includes('vk_plain')).toBe(false);
});

test('a ciphertext moved to another row does not open', () => {
  const sealed = box.seal('vk_plain', 'api-key:1:2');
  for (const binding of ['api-key:1:3', 'api-key:2:2', '']) {
    expect(() => box.open(sealed, binding)).toThrow(/cannot be decrypted/);
  }
});

test('another secret does not open it, and the refusal names APP_SECRET', () => {
  const other = createSecretBox('another secret, also of thirty-two characters');
  expect(() => other.open(box.seal('vk_plain', 'b'), 'b')).toThrow(/APP_SECRET/);
});

test('each changed or missing byte is noticed', () => {
  const sealed = box.seal('vk_plain', 'b');
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const damaged = sealed.map((byte, i) => (i === place ? byte ^ change : byte));
      expect(() => box.open(damaged, 'b')).toThrow(expect.objectContaining({ code: 'UNPROCESSABLE' }));
    }),
  );
  for (let length = 0; length < sealed.length; length++) {
    expect(() => box.open(sealed.subarray(0, length), 'b')).toThrow(
      expect.objectContaining({ code: 'UNPROCESSABLE' }),
    );
  }
});

test('a signature is for one purpose, one text and one secret, and 256 bits long', () => {
  const signature = box.sign('devices', 'ada');
  expect(box.sign('devices', 'ada')).toBe(signature);
  expect(Buffer.from(signature, 'base64url')).toHaveLength(32);
  const other = createSecretBox('another secret, also of thirty-two characters');
  const others = [
    box.sign('devices', 'adb'),
    box.sign('refused account', 'ada'),
    other.sign('devices', 'ada'),
  ];
  expect(new Set([signature, ...others]).size).toBe(4);
});
