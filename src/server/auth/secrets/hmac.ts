import { hash } from 'node:crypto';

const blockBytes = 64;
const innerByte = 0x36;
const outerByte = 0x5c;

/**
 * HMAC-SHA-256 (RFC 2104) of texts under one key, in base64url: two hashes at once, without the stream that `createHmac` makes for each text, which
 * took a fiftieth of a search's time on the main thread.
 * @throws RangeError for a key of more than a block, 64 bytes
 */
export function hmacOf(key: Uint8Array): (text: string) => string {
  if (key.byteLength > blockBytes) throw new RangeError(`a key has at most ${blockBytes} bytes`);
  const inner = padded(key, innerByte);
  const outer = padded(key, outerByte);
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, digest]), 'base64url');
  };
}

/** A block of the key, each byte of which is changed by another one. */
function padded(key: Uint8Array, by: number): Buffer {
  const block = Buffer.alloc(blockBytes, by);
  for (const [i, byte] of key.entries()) block[i] = byte ^ by;
  return block;
}
