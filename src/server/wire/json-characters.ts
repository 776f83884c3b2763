/** Characters that JSON gives a meaning, as bytes of UTF-8. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openArray = 0x5b;
export const closeArray = 0x5d;
export const openObject = 0x7b;
export const closeObject = 0x7d;
export const minus = 0x2d;
export const plus = 0x2b;
export const point = 0x2e;
export const zero = 0x30;
export const smallE = 0x65;
export const capitalE = 0x45;
export const smallU = 0x75;
export const escapable = Array.from('"\\/bfnrt', (character) => character.charCodeAt(0));

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** UTF-16 units of this part of a text in UTF-8. */
export function unitsIn(text: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let at = start; at < end; at += 1) {
    const byte = text[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
