import { ElementBuffer } from './element-buffer.ts';
import type { Piece, Splitter } from './splitter.ts';

const newline = 0x0a;

/** NDJSON: a line is an element, blank lines are none; CRLF, a byte order mark and a missing last newline are fine. */
export function createLineSplitter(bytesMax: number): Splitter {
  const begun = new ElementBuffer(bytesMax);
  let isFirst = true;

  function finish(last: Uint8Array): Piece | undefined {
    const line = begun.take(last);
    const skipsMark = isFirst;
    isFirst = false;
    if (line === null) return null;
    const text =
      skipsMark && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
    // The mark is dropped where the bytes become text.
    return isBlank(text) ? undefined : line;
  }

  return {
    *push(chunk) {
      let from = 0;
      while (true) {
        const end = chunk.indexOf(newline, from);
        if (end === -1) break;
        const piece = finish(chunk.subarray(from, end));
        if (piece !== undefined) yield piece;
        from = end + 1;
      }
      begun.add(chunk.subarray(from));
    },
    *end() {
      const piece = finish(new Uint8Array());
      if (piece !== undefined) yield piece;
    },
    get bufferedBytes() {
      return begun.length;
    },
  };
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
