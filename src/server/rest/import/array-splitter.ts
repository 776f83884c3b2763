import { ElementBuffer } from './element-buffer.ts';
import type { Piece, Splitter } from './splitter.ts';

/**
 * Splits a JSON array into its elements. Quotes and brackets tell where an element ends, so one that is not JSON is the fault of its
 * own row and the next one is found again. Works on bytes: in UTF-8 no byte of a longer character looks like punctuation.
 */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const byteOrderMark = [0xef, 0xbb, 0xbf];

type State = 'before the array' | 'in the array' | 'after the array' | 'broken';

export function createArraySplitter(bytesMax: number): Splitter {
  const begun = new ElementBuffer(bytesMax);
  let state: State = 'before the array';
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let elements = 0;
  let markBytes = 0;

  function* push(chunk: Uint8Array): Iterable<Piece> {
    let at = 0;
    if (state === 'before the array') {
      at = skipToArray(chunk);
      if (state === ('broken' as State)) {
        yield { fault: 'Expected a JSON array of documents' };
        return;
      }
    }
    let from = at;
    for (; at < chunk.length && state === 'in the array'; at++) {
      if (!isEndOfElement(chunk[at] ?? 0)) continue;
      const isLast = chunk[at] === closeArray;
      const element = begun.take(chunk.subarray(from, at));
      from = at + 1;
      if (isLast) state = 'after the array';
      // `[]` and `[ ]` hold nothing; `[1,]` and `[,]` hold an element that is missing.
      if (isLast && elements === 0 && element !== null && isBlank(element)) continue;
      elements++;
      yield element;
    }
    if (state === 'in the array') begun.add(chunk.subarray(from));
    if (state === 'after the array' && !isBlank(chunk.subarray(at))) {
      state = 'broken';
      yield { fault: 'Nothing may follow the end of the array' };
    }
  }

  /** Position after the opening bracket, or the chunk's end while there is none yet. */
  function skipToArray(chunk: Uint8Array): number {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === openArray && (markBytes === 0 || markBytes === 3)) {
        state = 'in the array';
        return at + 1;
      }
      if (byte === byteOrderMark[markBytes]) markBytes++;
      else if (!isSpace(byte)) {
        state = 'broken';
        return at;
      }
    }
    return chunk.length;
  }

  function isEndOfElement(byte: number): boolean {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = false;
      return false;
    }
    if (byte === quote) isInString = true;
    else if (byte === openObject || byte === openArray) depth++;
    else if (byte === closeObject || byte === closeArray) {
      if (depth === 0) return byte === closeArray;
      depth--;
    } else if (byte === comma) return depth === 0;
    return false;
  }

  return {
    push,
    *end() {
      if (state === 'before the array') yield { fault: 'Expected a JSON array of documents' };
      else if (state === 'in the array') yield { fault: 'The upload ends before the end of the array' };
    },
    get bufferedBytes() {
      return begun.length;
    },
  };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isSpace);
}
