/**
 * Finds the elements of a JSON array in its bytes, from behind its opening bracket, without parsing them: quotes and brackets tell where one
 * ends. In UTF-8 no byte of a longer character looks like punctuation. Only elements that are wanted are kept.
 */
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

interface Wanted {
  /** By its place in the array, from 0. */
  wants: (place: number) => boolean;
  onElement: (text: string, place: number) => void;
}

export class ArrayScanner {
  readonly #wanted: Wanted | null;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isBlank = true;
  #offset = 0;
  #parts: Uint8Array[] = [];
  /** Elements that have ended. */
  count = 0;
  /** Of the closing bracket, from the first byte that was pushed; null: it has not come. */
  end: number | null = null;

  constructor(wanted: Wanted | null = null) {
    this.#wanted = wanted;
  }

  push(chunk: Uint8Array): void {
    if (this.end !== null) return;
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isInString = false;
        continue;
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      const isEnd = this.#depth === 0 && (byte === comma || byte === closeArray);
      if (isEnd) {
        // `[]` holds nothing; `[1,]` holds an element that is missing.
        if (!this.#isBlank || byte === comma || this.count > 0) this.#finish(chunk.subarray(from, at));
        from = at + 1;
        this.#isBlank = true;
        if (byte === comma) continue;
        this.end = this.#offset + at;
        return;
      }
      this.#isBlank = false;
      if (byte === quote) this.#isInString = true;
      else if (byte === openObject || byte === openArray) this.#depth += 1;
      else if (byte === closeObject || byte === closeArray) this.#depth -= 1;
    }
    // The chunk is its owner's.
    if (this.#isWanted) this.#parts.push(chunk.slice(from));
    this.#offset += chunk.length;
  }

  get #isWanted(): boolean {
    return this.#wanted?.wants(this.count) ?? false;
  }

  #finish(last: Uint8Array): void {
    const wanted = this.#wanted;
    if (wanted && this.#isWanted) {
      const decoder = new TextDecoder();
      const text = this.#parts.map((part) => decoder.decode(part, { stream: true })).join('');
      wanted.onElement((text + decoder.decode(last)).trim(), this.count);
    }
    this.#parts = [];
    this.count += 1;
  }
}

/** The first elements of an array whose content this text begins with: those that have ended. */
export function firstElements(text: string, countMax: number): string[] {
  const found: string[] = [];
  const scanner = new ArrayScanner({
    wants: (place) => place < countMax,
    onElement: (element) => found.push(element),
  });
  scanner.push(new TextEncoder().encode(text));
  return found;
}
