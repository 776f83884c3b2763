import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secret-box.ts';

/**
 * `<27 random characters><13 characters of signature>`, all base 32: 135 random bits, and 65 by which this server knows its own ids, so that
 * a made-up one is refused without a look into the record.
 */
export interface SessionIds {
  make(): string;
  isOwn(text: string): boolean;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const randomCharacters = 27;
const signatureCharacters = 13;
const shape = new RegExp(`^[a-z2-7]{${randomCharacters + signatureCharacters}}$`);

export function createSessionIds(secrets: Pick<SecretBox, 'sign'>): SessionIds {
  const signatureOf = (random: string) =>
    toCharacters(Buffer.from(secrets.sign('sessions', random), 'base64url').subarray(0, signatureCharacters));
  return {
    make() {
      const random = toCharacters(randomBytes(randomCharacters));
      return random + signatureOf(random);
    },
    isOwn(text) {
      if (!shape.test(text)) return false;
      const signature = signatureOf(text.slice(0, randomCharacters));
      return timingSafeEqual(Buffer.from(text.slice(randomCharacters)), Buffer.from(signature));
    },
  };
}

/** Five bits of each byte. */
function toCharacters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join('');
}
