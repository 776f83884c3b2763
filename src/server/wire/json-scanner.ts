import { limits } from '#shared/limits.ts';
import {
  backslash,
  closeArray,
  closeObject,
  colon,
  comma,
  escapable,
  isDigit,
  isHex,
  isSpace,
  minus,
  openArray,
  openObject,
  quote,
  smallU,
  unitsIn,
} from './json-characters.ts';
import { isWhole, type NumberPart, nextPart } from './json-number.ts';
import { type ScanFault, type State, wantedIn } from './scan-state.ts';

/**
 * Checks JSON (RFC 8259) chunk by chunk, as it arrives, before anything is made of it: it must be whole, and nest and hold no more than it
 * may. The first fault is the one that `findJsonFault` finds in the whole text. One pass over bytes, O(length), some nanoseconds each, so
 * that a chunk holds nobody up; a character of several bytes never looks like punctuation.
 */
export class JsonScanner {
  readonly #valuesMax: number;
  #state: State = 'value';
  /** Place of the next chunk's first byte, from the first behind a byte order mark. */
  #offset = 0;
  #isAtStart = true;
  /** Of each open bracket, whether it is an object's. */
  readonly #isObject = new Uint8Array(limits.jsonDepthMax);
  #depth = 0;
  #keys = 0;
  /** Commas and opening brackets, and one: items and members, about. */
  #values = 1;
  /** Where the string, number or word began that is being read. */
  #tokenStart = 0;
  #isKey = false;
  /** UTF-16 units of the key. */
  #keyUnits = 0;
  #escapeStart = 0;
  #hexDigits = 0;
  #word = '';
  #part: NumberPart = 'minus';
  /** Up to here a number is one, whatever follows. */
  #numberEnd = 0;
  /** The first fault; what follows it is not looked at. */
  fault: ScanFault | null = null;
  /** Something in it may be forbidden in a value: only a look at what was parsed can tell. */
  needsCheck = false;
  /** Bytes of the byte order mark that it begins with. */
  markBytes = 0;

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax;
  }

  push(chunk: Uint8Array): void {
    let at = this.#isAtStart ? this.#skipMark(chunk) : 0;
    while (at < chunk.length && this.fault === null) at = this.#read(chunk, at);
    this.#offset += chunk.length;
  }

  /** What the end makes of the rest. */
  end(): void {
    if (this.fault !== null) return;
    if (this.#state === 'word') this.#expect('a value', this.#tokenStart);
    else if (this.#state === 'hex') this.#refuse('syntax', badHex, this.#escapeStart);
    else if (this.#state === 'string' || this.#state === 'escape')
      this.#refuse('syntax', 'this string is never closed', this.#tokenStart);
    else if (this.#state !== 'number' || this.#endNumber(this.#offset)) {
      if (this.#state !== 'end' || this.#depth > 0) this.#expect(this.#wanted(), this.#offset);
    }
  }

  #skipMark(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length && this.markBytes < 3 && chunk[at] === byteOrderMark[this.markBytes]) {
      this.markBytes += 1;
      at += 1;
    }
    if (at === chunk.length && this.markBytes < 3) {
      this.#offset -= at;
      return at;
    }
    this.#isAtStart = false;
    if (this.markBytes === 3) this.#offset -= at;
    else if (this.markBytes > 0) {
      // Another character that begins so.
      this.markBytes = 0;
      this.#expect('a value', 0);
    }
    return at;
  }

  /** Reads on in what was begun, or the next token; answers where it stopped. */
  #read(chunk: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'string':
        return this.#readString(chunk, at);
      case 'escape':
        return this.#readEscape(chunk, at);
      case 'hex':
        return this.#readHex(chunk, at);
      case 'word':
        return this.#readWord(chunk, at);
      case 'number':
        return this.#readNumber(chunk, at);
      default:
        return this.#readToken(chunk, at);
    }
  }

  #readToken(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (isSpace(byte)) return at + 1;
    const place = this.#offset + at;
    if (this.#state === 'end') this.#separate(byte, place);
    else if (this.#state === 'colon') this.#readColon(byte, place);
    else if (this.#state === 'first key' && byte === closeObject) this.#close();
    else if (this.#state === 'first item' && byte === closeArray) this.#close();
    else if (this.#state === 'key' || this.#state === 'first key') {
      if (byte === quote) this.#openString(place, true);
      else this.#expect(this.#wanted(), place);
    } else if (byte === openObject || byte === openArray) this.#open(byte === openObject, place);
    else if (byte === quote) this.#openString(place, false);
    else return this.#beginScalar(byte, at);
    return at + 1;
  }

  #beginScalar(byte: number, at: number): number {
    const place = this.#offset + at;
    this.#tokenStart = place;
    const word = words.find((each) => each.charCodeAt(0) === byte);
    if (word !== undefined) {
      this.#word = word;
      this.#state = 'word';
    } else if (byte === minus || isDigit(byte)) {
      this.#part = 'minus';
      this.#numberEnd = place;
      this.#state = 'number';
      return byte === minus ? at + 1 : at;
    } else this.#expect('a value', place);
    return at;
  }

  #open(isObject: boolean, place: number): void {
    if (this.#depth === limits.jsonDepthMax) {
      this.#refuse('limit', `Nested deeper than ${limits.jsonDepthMax} levels`, place);
      return;
    }
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#depth += 1;
    this.#state = isObject ? 'first key' : 'first item';
    this.#countValue(place);
  }

  #close(): void {
    this.#depth -= 1;
    this.#state = 'end';
  }

  /** Behind a value. */
  #separate(byte: number, place: number): void {
    if (this.#depth === 0) this.#refuse('syntax', 'nothing may follow the value', place);
    else if (byte === comma) {
      this.#state = this.#isInObject() ? 'key' : 'value';
      this.#countValue(place);
    } else if (byte === (this.#isInObject() ? closeObject : closeArray)) this.#close();
    else this.#expect(this.#wanted(), place);
  }

  #countValue(place: number): void {
    this.#values += 1;
    if (this.#values > this.#valuesMax) {
      this.#refuse('limit', `More than ${this.#valuesMax} values`, place);
    }
  }

  #readColon(byte: number, place: number): void {
    if (byte !== colon) {
      this.#expect(this.#wanted(), place);
      return;
    }
    this.#keys += 1;
    this.#state = 'value';
    if (this.#keyUnits > limits.jsonKeyCharactersMax)
      this.#refuse('limit', `A field name is longer than ${limits.jsonKeyCharactersMax} characters`, place);
    else if (this.#keys > limits.jsonKeysMax)
      this.#refuse('limit', `More than ${limits.jsonKeysMax} fields`, place);
  }

  #openString(place: number, isKey: boolean): void {
    this.#tokenStart = place;
    this.#isKey = isKey;
    this.#keyUnits = 0;
    this.#state = 'string';
  }

  #readString(chunk: Uint8Array, start: number): number {
    let at = start;
    let byte = chunk[at] ?? 0;
    while (at < chunk.length && byte !== quote && byte !== backslash && byte >= 0x20) {
      at += 1;
      byte = chunk[at] ?? 0;
    }
    if (this.#isKey) this.#keyUnits += unitsIn(chunk, start, at);
    if (at === chunk.length) return at;
    if (byte === backslash) {
      this.#escapeStart = this.#offset + at;
      this.#state = 'escape';
    } else if (byte === quote) this.#closeString();
    else this.#refuse('syntax', 'a control character in a string must be escaped', this.#offset + at);
    return at + 1;
  }

  #closeString(): void {
    this.#state = this.#isKey ? 'colon' : 'end';
    // As long as a name that could reach a prototype.
    if (this.#isKey && (this.#keyUnits === 9 || this.#keyUnits === 11)) this.needsCheck = true;
  }

  #readEscape(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    this.#keyUnits += 2;
    if (byte === smallU) {
      this.needsCheck = true;
      this.#hexDigits = 0;
      this.#state = 'hex';
    } else if (escapable.includes(byte)) this.#state = 'string';
    else this.#refuse('syntax', 'there is no such escape in a string', this.#escapeStart);
    return at + 1;
  }

  #readHex(chunk: Uint8Array, at: number): number {
    this.#keyUnits += 1;
    this.#hexDigits += 1;
    if (!isHex(chunk[at] ?? 0)) this.#refuse('syntax', badHex, this.#escapeStart);
    else if (this.#hexDigits === 4) this.#state = 'string';
    return at + 1;
  }

  #readWord(chunk: Uint8Array, at: number): number {
    const done = this.#offset + at - this.#tokenStart;
    if (chunk[at] !== this.#word.charCodeAt(done)) this.#expect('a value', this.#tokenStart);
    else if (done === this.#word.length - 1) this.#state = 'end';
    return at + 1;
  }

  #readNumber(chunk: Uint8Array, start: number): number {
    let at = start;
    for (; at < chunk.length; at += 1) {
      const next = nextPart(this.#part, chunk[at] ?? 0);
      if (next === null) {
        this.#endNumber(this.#offset + at);
        return at;
      }
      this.#part = next;
      if (isWhole(next)) this.#numberEnd = this.#offset + at + 1;
    }
    return at;
  }

  /** `place`: of the first byte that is none of it. A number that was not whole ended where it was. */
  #endNumber(place: number): boolean {
    this.#state = 'end';
    if (this.#part === 'exponent' || place - this.#tokenStart > longNumberBytes) this.needsCheck = true;
    if (isWhole(this.#part)) return true;
    if (this.#numberEnd === this.#tokenStart) this.#expect('a value', this.#tokenStart);
    else if (this.#depth === 0) this.#refuse('syntax', 'nothing may follow the value', this.#numberEnd);
    else this.#expect(this.#wanted(), this.#numberEnd);
    return false;
  }

  #isInObject(): boolean {
    return this.#isObject[this.#depth - 1] === 1;
  }

  #wanted(): string {
    return wantedIn(this.#state, this.#isInObject());
  }

  #expect(what: string, place: number): void {
    this.#refuse('expected', what, place);
  }

  #refuse(kind: ScanFault['kind'], what: string, place: number): void {
    this.fault ??= { kind, what, place };
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const words = ['true', 'false', 'null'];
const badHex = 'expected four hexadecimal digits after "\\u"';
/** A longer number may be too large to hold. */
const longNumberBytes = 200;
