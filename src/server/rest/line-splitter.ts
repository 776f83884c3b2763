import type { Cut, Cutter } from './import-rows.ts';
import { HeldBytes } from './upload-meter.ts';

const newline = 0x0a;

/** NDJSON: a line is an element, blank lines are none; CRLF, a byte order mark and a missing last newline are fine. */
export function createLineCutter(bytesMax: number): Cutter {
  const held = new HeldBytes(bytesMax);
  let isFirst = true;

  function finish(last: Uint8Array): Cut | undefined {
    const line = held.take(last);
    const skipsMark = isFirst;
    isFirst = false;
    if (line === null) return null;
    const text =
      skipsMark && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
    return isBlank(text) ? undefined : text;
  }

  return {
    *push(chunk) {
      let from = 0;
      while (true) {
        const end = chunk.indexOf(newline, from);
        if (end === -1) break;
        const cut = finish(chunk.subarray(from, end));
        if (cut !== undefined) yield cut;
        from = end + 1;
      }
      held.add(chunk.subarray(from));
    },
    *end() {
      const cut = finish(new Uint8Array());
      if (cut !== undefined) yield cut;
    },
    get heldBytes() {
      return held.length;
    },
  };
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
