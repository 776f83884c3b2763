import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `vk_<24 random characters>_<6 characters of checksum>`, all base 62: 142 random bits, and a CRC-32 of what stands before it,
 * so that a typing mistake is refused without a look into the database and scanners recognise a leaked key.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 24;
const checksumCharacters = 6;
const shape = new RegExp(`^(vk_[0-9A-Za-z]{${randomCharacters}})_([0-9A-Za-z]{${checksumCharacters}})$`);

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumCharacters; i++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

export function makeApiKey(): string {
  const random = Array.from({ length: randomCharacters }, () => alphabet.charAt(randomInt(alphabet.length)));
  const body = `vk_${random.join('')}`;
  return `${body}_${checksumOf(body)}`;
}

export function isWellFormedApiKey(text: string): boolean {
  const match = shape.exec(text);
  return match?.[1] !== undefined && checksumOf(match[1]) === match[2];
}

/** What is shown of a key: 32 bullets and its last four characters. */
export function maskApiKey(lastFour: string): string {
  return '•'.repeat(32) + lastFour;
}

/** How a key is stored and looked up. Plain SHA-256 is right here: the key is random, so there is nothing to guess. */
export function hashApiKey(key: string): Uint8Array {
  return new Uint8Array(hash('sha256', key, 'buffer'));
}

/** What a key's ciphertext is bound to. */
export function keyBinding(projectId: number, keyId: number): string {
  return `api-key:${projectId}:${keyId}`;
}
