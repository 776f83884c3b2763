import { hash } from 'node:crypto';

const blockBytes = 64;
const innerByte = 0x36;
const outerByte = 0x5c;
const digestBytes = 32;
/** Of a text whose bytes need no place of their own. */
const placeBytes = 192;
const asciiMax = 0x7f;

/**
 * HMAC-SHA-256 (RFC 2104) of texts under one key, in base64url: two hashes at once, without the stream that `createHmac` makes for each text. Texts
 * are put into memory that is there already, and the inner hash comes as a string: each buffer that the hashes would make costs as much as a hash.
 * @throws RangeError for a key of more than a block, 64 bytes
 */
export function hmacOf(key: Uint8Array): (text: string) => string {
  if (key.byteLength > blockBytes) throw new RangeError(`a key has at most ${blockBytes} bytes`);
  const inner = padded(key, innerByte);
  const outer = padded(key, outerByte);
  // Both hashes are over when this returns, so that one place for what they read does for all texts but long ones.
  const innerPlace = Buffer.concat([inner], blockBytes + placeBytes);
  const outerPlace = Buffer.concat([outer], blockBytes + digestBytes);
  /** Parts of the inner place by their lengths, of which there are few. */
  const innerParts: Buffer[] = [];
  const readOf = (text: string) => {
    if (text.length > placeBytes || !putAscii(text, innerPlace))
      return Buffer.concat([inner, Buffer.from(text)]);
    const part = innerParts[text.length] ?? innerPlace.subarray(0, blockBytes + text.length);
    innerParts[text.length] = part;
    return part;
  };
  return (text) => {
    putLatin1(hash('sha256', readOf(text), 'binary'), outerPlace);
    return hash('sha256', outerPlace, 'base64url');
  };
}

/** Behind the block. False: it is not ASCII alone. */
function putAscii(text: string, place: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > asciiMax) return false;
    place[blockBytes + i] = unit;
  }
  return true;
}

/** Each of whose characters is a byte. */
function putLatin1(text: string, place: Uint8Array): void {
  for (let i = 0; i < text.length; i += 1) place[blockBytes + i] = text.charCodeAt(i);
}

/** A block of the key, each byte of which is changed by another one. */
function padded(key: Uint8Array, by: number): Buffer {
  const block = Buffer.alloc(blockBytes, by);
  for (const [i, byte] of key.entries()) block[i] = byte ^ by;
  return block;
}
