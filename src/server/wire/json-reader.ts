import { limits } from '#shared/limits.ts';
import { JsonBuilder } from './json-builder.ts';
import {
  closeArray,
  closeObject,
  colon,
  comma,
  isDigit,
  isSpace,
  minus,
  newline,
  openArray,
  openObject,
  quote,
} from './json-characters.ts';
import { isWhole, type NumberPart, nextPart } from './json-number.ts';
import { badHex, JsonString } from './json-string.ts';
import { type ReadFault, type State, wantedIn } from './read-state.ts';

/**
 * Reads JSON (RFC 8259) chunk by chunk, as it arrives: it must be whole, and nest and hold no more than it may. The value is what
 * `JSON.parse` makes of the whole text, the first fault the one that `findJsonFault` finds in it. One pass over characters, O(length),
 * some ten nanoseconds each, so that a chunk holds nobody up, as `JSON.parse` of megabytes would.
 */
export class JsonReader {
  readonly #valuesMax: number;
  readonly #builder = new JsonBuilder();
  readonly #string = new JsonString();
  #state: State = 'value';
  /** Place of the chunk's first character. */
  #offset = 0;
  #chunk = '';
  #line = 1;
  #lineStart = 0;
  /** Of each open bracket, whether it is an object's. */
  readonly #isObject = new Uint8Array(limits.jsonDepthMax);
  #depth = 0;
  #keys = 0;
  /** Of each open object, as `#isObject`. */
  readonly #members = new Uint32Array(limits.jsonDepthMax);
  /** Commas and opening brackets, and one: items and members, about. */
  #values = 1;
  /** Where the string, number or word began that is being read. */
  #tokenStart = 0;
  /** What of a number was in earlier chunks; all of a word. */
  #token = '';
  #isKey = false;
  /** Characters of the last key, as they are written. */
  #keyLength = 0;
  #part: NumberPart = 'minus';
  /** Up to here a number is one, whatever follows. */
  #numberEnd = 0;
  /** The first fault; what follows it is not looked at. */
  fault: ReadFault | null = null;

  constructor(valuesMax: number) {
    this.#valuesMax = valuesMax;
  }

  /** Once it has ended without a fault. */
  get value(): unknown {
    return this.#builder.value;
  }

  /** Something in the value may be forbidden: only a look at all of it can tell, and name it. */
  get mayBeForbidden(): boolean {
    return this.#builder.mayBeForbidden;
  }

  push(chunk: string): void {
    this.#chunk = chunk;
    let at = 0;
    while (at < chunk.length && this.fault === null) at = this.#read(at);
    if (this.#state === 'number') this.#token += chunk.slice(Math.max(0, this.#tokenStart - this.#offset));
    this.#offset += chunk.length;
    this.#chunk = '';
  }

  /** What the end makes of the rest. */
  end(): void {
    if (this.fault !== null) return;
    const openHexAt = this.#state === 'string' ? this.#string.openHexAt : null;
    if (this.#state === 'word') this.#expect('a value', this.#tokenStart);
    else if (openHexAt !== null) this.#refuse('syntax', badHex, openHexAt);
    else if (this.#state === 'string')
      this.#refuse('syntax', 'this string is never closed', this.#tokenStart);
    else if (this.#state !== 'number' || this.#endNumber(this.#offset)) {
      if (this.#state !== 'end' || this.#depth > 0) this.#expect(this.#wanted(), this.#offset);
    }
  }

  /** Reads on in what was begun, or the next token; answers where it stopped. */
  #read(at: number): number {
    if (this.#state === 'string') return this.#readString(at);
    if (this.#state === 'word') return this.#readWord(at);
    if (this.#state === 'number') return this.#readNumber(at);
    return this.#readToken(at);
  }

  #readToken(at: number): number {
    const code = this.#chunk.charCodeAt(at);
    const place = this.#offset + at;
    if (isSpace(code)) {
      if (code === newline) this.#beginLine(place + 1);
    } else if (this.#state === 'end') this.#separate(code, place);
    else if (this.#state === 'colon') this.#readColon(code, place);
    else if (this.#state === 'first key' && code === closeObject) this.#close();
    else if (this.#state === 'first item' && code === closeArray) this.#close();
    else if (this.#state === 'key' || this.#state === 'first key') {
      if (code === quote) this.#openString(place, true);
      else this.#expect(this.#wanted(), place);
    } else if (code === openObject || code === openArray) this.#open(code === openObject, place);
    else if (code === quote) this.#openString(place, false);
    else return this.#beginScalar(code, at);
    return at + 1;
  }

  #beginLine(start: number): void {
    this.#line += 1;
    this.#lineStart = start;
  }

  #beginScalar(code: number, at: number): number {
    const place = this.#offset + at;
    this.#tokenStart = place;
    const word = words.find(([text]) => text.charCodeAt(0) === code);
    if (word !== undefined) {
      this.#token = word[0];
      this.#state = 'word';
    } else if (code === minus || isDigit(code)) {
      this.#token = '';
      this.#part = 'minus';
      this.#numberEnd = place;
      this.#state = 'number';
      return code === minus ? at + 1 : at;
    } else this.#expect('a value', place);
    return at;
  }

  #open(isObject: boolean, place: number): void {
    if (this.#depth === limits.jsonDepthMax) {
      this.#refuse('limit', `Nested deeper than ${limits.jsonDepthMax} levels`, place);
      return;
    }
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#members[this.#depth] = 0;
    this.#depth += 1;
    this.#state = isObject ? 'first key' : 'first item';
    this.#builder.open(isObject);
    this.#countValue(place);
  }

  #close(): void {
    this.#depth -= 1;
    this.#state = 'end';
    this.#builder.close();
  }

  /** Behind a value. */
  #separate(code: number, place: number): void {
    if (this.#depth === 0) this.#refuse('syntax', 'nothing may follow the value', place);
    else if (code === comma) {
      this.#state = this.#isInObject() ? 'key' : 'value';
      this.#countValue(place);
    } else if (code === (this.#isInObject() ? closeObject : closeArray)) this.#close();
    else this.#expect(this.#wanted(), place);
  }

  #countValue(place: number): void {
    this.#values += 1;
    if (this.#values > this.#valuesMax) {
      this.#refuse('limit', `More than ${this.#valuesMax} values`, place);
    }
  }

  #readColon(code: number, place: number): void {
    if (code !== colon) {
      this.#expect(this.#wanted(), place);
      return;
    }
    this.#keys += 1;
    const members = (this.#members[this.#depth - 1] ?? 0) + 1;
    this.#members[this.#depth - 1] = members;
    this.#state = 'value';
    if (this.#keyLength > limits.jsonKeyCharactersMax)
      this.#refuse('limit', `A field name is longer than ${limits.jsonKeyCharactersMax} characters`, place);
    else if (this.#keys > limits.jsonKeysMax)
      this.#refuse('limit', `More than ${limits.jsonKeysMax} fields`, place);
    else if (members > limits.jsonMembersMax)
      this.#refuse('limit', `More than ${limits.jsonMembersMax} fields in one object`, place);
  }

  #openString(place: number, isKey: boolean): void {
    this.#tokenStart = place;
    this.#isKey = isKey;
    this.#string.begin();
    this.#state = 'string';
  }

  #readString(start: number): number {
    const string = this.#string;
    const at = string.read(this.#chunk, start, this.#offset);
    if (string.fault !== null) this.#refuse('syntax', string.fault.what, string.fault.place);
    else if (string.text !== null && this.#isKey) {
      this.#keyLength = this.#offset + at - this.#tokenStart - 2;
      this.#builder.key(string.text, string.isOdd);
      this.#state = 'colon';
    } else if (string.text !== null) {
      this.#builder.text(string.text, string.isOdd);
      this.#state = 'end';
    }
    return at;
  }

  #readWord(at: number): number {
    const done = this.#offset + at - this.#tokenStart;
    if (this.#chunk.charCodeAt(at) !== this.#token.charCodeAt(done))
      this.#expect('a value', this.#tokenStart);
    else if (done === this.#token.length - 1) {
      this.#builder.word(words.find(([text]) => text === this.#token)?.[1] ?? null);
      this.#state = 'end';
    }
    return at + 1;
  }

  #readNumber(start: number): number {
    let at = start;
    for (; at < this.#chunk.length; at += 1) {
      const next = nextPart(this.#part, this.#chunk.charCodeAt(at));
      if (next === null) {
        this.#endNumber(this.#offset + at);
        return at;
      }
      this.#part = next;
      if (isWhole(next)) this.#numberEnd = this.#offset + at + 1;
    }
    return at;
  }

  /** `place`: of the first character that is none of it. A number that was not whole ended where it was. */
  #endNumber(place: number): boolean {
    this.#state = 'end';
    if (isWhole(this.#part)) {
      const here = this.#chunk.slice(Math.max(0, this.#tokenStart - this.#offset), place - this.#offset);
      this.#builder.number(Number(this.#token + here));
      return true;
    }
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
    const character =
      place < this.#offset
        ? this.#token.charAt(place - this.#tokenStart)
        : this.#chunk.charAt(place - this.#offset);
    const found = character === '' ? 'the text ends' : `found ${JSON.stringify(character)}`;
    this.#refuse('syntax', `expected ${what}, ${found}`, place);
  }

  #refuse(kind: ReadFault['kind'], what: string, position: number): void {
    this.fault ??= { kind, what, position, line: this.#line, column: position - this.#lineStart + 1 };
  }
}

const words = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
