/** Order and identity of byte strings. UTF-8 keeps the order of code points, so this is also the order of the texts. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const LONG = 4096;
const encoder = new TextEncoder();

/** Texts to UTF-8 without an allocation for each: the result is valid until the next call. */
export class Utf8Scratch {
  #bytes = new Uint8Array(256);

  encode(text: string): Uint8Array {
    // A long text must not leave three times its length behind in every index.
    if (text.length > LONG) return encoder.encode(text);
    if (this.#bytes.length < text.length * 3) this.#bytes = new Uint8Array(text.length * 3);
    const bytes = this.#bytes;
    // encodeInto costs about 150 ns whatever the length; most words are a few ASCII letters.
    if (text.length > 32) return bytes.subarray(0, encoder.encodeInto(text, bytes).written);
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return bytes.subarray(0, encoder.encodeInto(text, bytes).written);
      bytes[i] = code;
    }
    return bytes.subarray(0, text.length);
  }
}
