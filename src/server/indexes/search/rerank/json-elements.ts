const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** [ { and ] }. */
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** The texts of the elements of a JSON array that was written here, without blanks between them. O(bytes). */
export function jsonElements(array: Uint8Array): Uint8Array[] {
  const elements: Uint8Array[] = [];
  let depth = 0;
  let isInString = false;
  let start = 1;
  for (let i = 0; i < array.length; i += 1) {
    const byte = array[i] ?? 0;
    if (isInString) {
      if (byte === backslash) i += 1;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    const isEnd = !isInString && (depth === 0 || (depth === 1 && byte === comma));
    if (isEnd && i > start) elements.push(array.subarray(start, i));
    if (isEnd) start = i + 1;
  }
  return elements;
}
