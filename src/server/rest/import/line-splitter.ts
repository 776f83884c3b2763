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

  function skipBlank(chunk: Uint8Array, from: number): number {
    const begin = firstLineFrom(chunk, from);
    if (begin > from) isFirst = false;
    return begin;
  }

  return {
    *push(chunk) {
      let from = 0;
      while (true) {
        if (begun.isEmpty) from = skipBlank(chunk, from);
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

/** Where the first line begins that has something: a chunk of nothing else would be 65,536 lines to look at one by one. */
function firstLineFrom(chunk: Uint8Array, from: number): number {
  let begin = from;
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === newline) begin = at + 1;
    else if (!isSpace(byte)) break;
  }
  return begin;
}

function isBlank(line: Uint8Array): boolean {
  return line.every(isSpace);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
