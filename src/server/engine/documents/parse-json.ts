/**
 * `JSON.parse` in steps, for a text that takes it long. A long list or object is cut between its elements into runs that are parsed one by
 * one; an element that is as long by itself is cut in turn, a string between its characters. Answers what `JSON.parse` does, and throws a SyntaxError where that does.
 * A text is looked through once for each level that is cut.
 */
import type { Steps } from '../steps.ts';

/** Units that are parsed, or looked through, without a pause. */
const wholeUnits = 65_536;

/** @param unitsMax of a run, but for tests */
export function* parseJson(text: string, unitsMax = wholeUnits): Steps<unknown> {
  if (text.length <= unitsMax) return JSON.parse(text);
  const start = afterSpace(text, 0);
  const opening = text[start];
  if (opening === '[') return yield* listOf(yield* runsIn(text, start, unitsMax), unitsMax);
  if (opening === '{') return yield* objectOf(yield* runsIn(text, start, unitsMax), unitsMax);
  if (opening === '"') return yield* stringAt(text, start, unitsMax);
  return JSON.parse(text);
}

/** Longest escape. */
const escapeUnits = 6;

function* stringAt(text: string, start: number, unitsMax: number): Steps<string> {
  const closing = closingQuote(text, start);
  if (closing < 0 || afterSpace(text, closing + 1) < text.length)
    throw new SyntaxError('a string has no end, or something behind it');
  const parts: string[] = [];
  for (let from = start + 1; from < closing; ) {
    const most = from + Math.max(unitsMax, escapeUnits);
    const end = most < closing ? beforeEscape(text, from, most) : closing;
    parts.push(JSON.parse(`"${text.slice(from, end)}"`) as string);
    from = end;
    yield;
  }
  return parts.join('');
}

/** `end`, or where the escape begins that it would part; `from` parts none. */
function beforeEscape(text: string, from: number, end: number): number {
  for (let at = end - 1; at >= from && at > end - escapeUnits; at -= 1) {
    if (text.charCodeAt(at) !== BACKSLASH) continue;
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // The second of two backslashes begins nothing.
    const isEscape = (at - first) % 2 === 0;
    return isEscape && at + (text[at + 1] === 'u' ? escapeUnits : 2) > end ? at : end;
  }
  return end;
}

/** Elements of a container with the commas between them. */
interface Run {
  text: string;
  /** One element, longer than a run may be. */
  isLarge: boolean;
}

function* listOf(runs: Run[], unitsMax: number): Steps<unknown[]> {
  const all: unknown[] = [];
  for (const { text, isLarge } of runs) {
    if (isLarge) all.push(yield* parseJson(text, unitsMax));
    else for (const element of JSON.parse(`[${text}]`) as unknown[]) all.push(element);
    yield;
  }
  return all;
}

function* objectOf(runs: Run[], unitsMax: number): Steps<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const { text, isLarge } of runs) {
    if (isLarge) {
      const { name, value } = parted(text);
      put(all, name, yield* parseJson(value, unitsMax));
    } else {
      const members = JSON.parse(`{${text}}`) as Record<string, unknown>;
      for (const name of Object.keys(members)) put(all, name, members[name]);
    }
    yield;
  }
  return all;
}

/** As `JSON.parse` does: a member of that name is no prototype. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/** A member's name and the text of its value. */
function parted(member: string): { name: string; value: string } {
  const start = afterSpace(member, 0);
  if (member[start] !== '"') throw new SyntaxError('a member has no name');
  const end = stringEnd(member, start);
  const colon = afterSpace(member, end);
  if (member[colon] !== ':') throw new SyntaxError('a member has no value');
  return { name: JSON.parse(member.slice(start, end)) as string, value: member.slice(colon + 1) };
}

/** The runs of the container that begins at `start`; nothing else may follow it. */
function* runsIn(text: string, start: number, unitsMax: number): Steps<Run[]> {
  const runs = new Runs(text, start + 1, unitsMax);
  let depth = 0;
  let pause = start + wholeUnits;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === COMMA && depth === 0) runs.note(at);
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) {
      if (depth === 0) {
        // Two units behind the opening bracket in ASCII stands the closing one.
        if (code !== text.charCodeAt(start) + 2) throw new SyntaxError('a bracket is closed by another one');
        if (afterSpace(text, at + 1) < text.length) throw new SyntaxError('something follows the value');
        return runs.end(at);
      }
      depth -= 1;
    }
    if (at < pause) continue;
    pause = at + wholeUnits;
    yield;
  }
  throw new SyntaxError('the text ends early');
}

/** Cuts a container at some of its commas. */
class Runs {
  readonly #text: string;
  readonly #unitsMax: number;
  readonly #runs: Run[] = [];
  /** Where the run begins, and the last comma that it may end at. */
  #from: number;
  #comma = -1;
  #hasCommas = false;

  constructor(text: string, from: number, unitsMax: number) {
    this.#text = text;
    this.#from = from;
    this.#unitsMax = unitsMax;
  }

  note(comma: number): void {
    this.#hasCommas = true;
    if (comma - this.#from > this.#unitsMax) this.#cutBefore(comma);
    if (comma - this.#from > this.#unitsMax) this.#cut(comma, true);
    this.#comma = comma;
  }

  end(at: number): Run[] {
    if (at - this.#from > this.#unitsMax) this.#cutBefore(at);
    const isLarge = at - this.#from > this.#unitsMax && afterSpace(this.#text, this.#from) < at;
    this.#cut(at, isLarge);
    return this.#runs;
  }

  /** Leaves the last element to a run of its own. */
  #cutBefore(end: number): void {
    if (this.#comma >= this.#from && this.#comma < end) this.#cut(this.#comma, false);
  }

  #cut(end: number, isLarge: boolean): void {
    const text = this.#text.slice(this.#from, end);
    if (this.#hasCommas && afterSpace(text, 0) === text.length)
      throw new SyntaxError('an element is missing');
    this.#runs.push({ text, isLarge });
    this.#from = end + 1;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const BACKSLASH = 0x5c;

/** Behind the closing quote of the string that begins at `start`; the text's end where it has none. */
function stringEnd(text: string, start: number): number {
  const closing = closingQuote(text, start);
  return closing < 0 ? text.length : closing + 1;
}

/** −1: there is none. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let from = at;
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    // Two backslashes are one, and escape nothing.
    if ((at - from) % 2 === 0) return at;
  }
  return -1;
}

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function afterSpace(text: string, from: number): number {
  let at = from;
  while (SPACE.has(text.charCodeAt(at))) at += 1;
  return at;
}
