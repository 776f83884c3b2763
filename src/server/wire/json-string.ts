import { backslash, isHex, quote, smallU } from './json-characters.ts';
import { TextPieces } from './text-pieces.ts';

/** A string of a JSON text, read chunk by chunk from behind its opening quote. */
export class JsonString {
  readonly #pieces = new TextPieces();
  #state: 'plain' | 'escape' | 'hex' = 'plain';
  #escapeStart = 0;
  #unit = 0;
  #hexDigits = 0;
  /** What it says, once it is whole. */
  text: string | null = null;
  /** It may hold U+0000, or half of a surrogate pair. */
  isOdd = false;
  fault: { what: string; place: number } | null = null;

  begin(): void {
    this.text = null;
    this.isOdd = false;
  }

  /** Reads on in a chunk that begins at `offset`; answers where it stopped. */
  read(chunk: string, start: number, offset: number): number {
    let at = start;
    while (at < chunk.length && this.text === null && this.fault === null) {
      if (this.#state === 'plain') at = this.#readPlain(chunk, at, offset);
      else {
        if (this.#state === 'escape') this.#readEscape(chunk, at);
        else this.#readHex(chunk.charCodeAt(at));
        at += 1;
      }
    }
    return at;
  }

  /** Where its half of an escape began, when the text ends in one with digits. */
  get openHexAt(): number | null {
    return this.#state === 'hex' ? this.#escapeStart : null;
  }

  #readPlain(chunk: string, start: number, offset: number): number {
    let end = start;
    let code = chunk.charCodeAt(end);
    while (end < chunk.length && code !== quote && code !== backslash && code >= 0x20) {
      end += 1;
      code = chunk.charCodeAt(end);
    }
    if (code === quote && this.#pieces.isEmpty) this.text = chunk.slice(start, end);
    else {
      if (end > start) this.#pieces.add(chunk.slice(start, end));
      if (end === chunk.length) return end;
      if (code === quote) this.text = this.#pieces.take();
      else if (code === backslash) {
        this.#state = 'escape';
        this.#escapeStart = offset + end;
      } else this.fault = { what: 'a control character in a string must be escaped', place: offset + end };
    }
    return end + 1;
  }

  #readEscape(chunk: string, at: number): void {
    this.#state = 'plain';
    if (chunk.charCodeAt(at) === smallU) {
      this.#state = 'hex';
      this.#unit = 0;
      this.#hexDigits = 0;
      return;
    }
    const character = escaped[chunk.charAt(at)];
    if (character !== undefined) this.#pieces.add(character);
    else this.fault = { what: 'there is no such escape in a string', place: this.#escapeStart };
  }

  #readHex(code: number): void {
    if (!isHex(code)) {
      this.fault = { what: badHex, place: this.#escapeStart };
      return;
    }
    this.#unit = this.#unit * 16 + Number.parseInt(String.fromCharCode(code), 16);
    this.#hexDigits += 1;
    if (this.#hexDigits < 4) return;
    this.#state = 'plain';
    if (this.#unit === 0 || (this.#unit & 0xf800) === 0xd800) this.isOdd = true;
    this.#pieces.add(String.fromCharCode(this.#unit));
  }
}

export const badHex = 'expected four hexadecimal digits after "\\u"';
const escaped: Record<string, string> = Object.assign(Object.create(null), {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
});
