/**
 * Where a text stops being JSON (RFC 8259), and what was expected there. Engines' own messages differ between releases and name no
 * position in short texts; this runs only after `JSON.parse` has refused. Linear in the text.
 */
export interface JsonFault {
  /** 0-based character. */
  position: number;
  message: string;
}

class Fault extends Error {
  readonly position: number;
  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

/** The text must be known to be broken and to nest no deeper than the stack allows. */
export function findJsonFault(text: string): JsonFault {
  try {
    const end = skipSpace(text, readValue(text, 0));
    return { position: end, message: 'nothing may follow the value' };
  } catch (fault) {
    if (fault instanceof Fault) return { position: fault.position, message: fault.message };
    throw fault;
  }
}

const spaces = /[ \t\r\n]*/y;
/** What needs no look in a string: all but quotes, escapes and control characters. */
const plainText = /[^"\\\p{Cc}]*/uy;

/** The position behind all that the pattern takes. */
function skip(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = Math.min(start, text.length);
  pattern.test(text);
  return pattern.lastIndex;
}

function skipSpace(text: string, start: number): number {
  return skip(spaces, text, start);
}

function expected(text: string, at: number, what: string): Fault {
  const found = at >= text.length ? 'the text ends' : `found ${JSON.stringify(text.charAt(at))}`;
  return new Fault(at, `expected ${what}, ${found}`);
}

/** Each reader answers the position after what it read. */
function readValue(text: string, start: number): number {
  const at = skipSpace(text, start);
  const first = text.charAt(at);
  if (first === '{') return readList(text, at, object);
  if (first === '[') return readList(text, at, array);
  if (first === '"') return readString(text, at);
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, at)) return at + word.length;
  return readNumber(text, at);
}

interface List {
  close: string;
  readItem: (text: string, at: number) => number;
}
const object: List = { close: '}', readItem: readMember };
const array: List = { close: ']', readItem: readValue };

function readList(text: string, open: number, { close, readItem }: List): number {
  let at = skipSpace(text, open + 1);
  if (text.charAt(at) === close) return at + 1;
  while (true) {
    at = skipSpace(text, readItem(text, at));
    if (text.charAt(at) === close) return at + 1;
    if (text.charAt(at) !== ',') throw expected(text, at, `"," or "${close}"`);
    at++;
  }
}

function readMember(text: string, start: number): number {
  const at = skipSpace(text, start);
  if (text.charAt(at) !== '"') throw expected(text, at, 'a field name in double quotes');
  const colon = skipSpace(text, readString(text, at));
  if (text.charAt(colon) !== ':') throw expected(text, colon, '":"');
  return readValue(text, colon + 1);
}

function readString(text: string, open: number): number {
  for (let at = skip(plainText, text, open + 1); at < text.length; at = skip(plainText, text, at + 1)) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') throw new Fault(at, 'a control character in a string must be escaped');
    if (char !== '\\') continue;
    at++;
    if (text.charAt(at) === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) {
        throw new Fault(at - 1, 'expected four hexadecimal digits after "\\u"');
      }
      at += 4;
    } else if (at < text.length && !'"\\/bfnrt'.includes(text.charAt(at))) {
      throw new Fault(at - 1, 'there is no such escape in a string');
    }
  }
  throw new Fault(open, 'this string is never closed');
}

function readNumber(text: string, at: number): number {
  const pattern = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw expected(text, at, 'a value');
  return pattern.lastIndex;
}
