import { AppError } from '#server/errors.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { newline } from './json-characters.ts';
import { findJsonFault } from './json-fault.ts';

/**
 * JSON from people we do not know. Everything that would hurt further in is refused here, with where it stands: nesting, swarms of keys,
 * keys that reach prototypes, numbers that become Infinity, U+0000 (Postgres cannot hold it) and lone surrogates (UTF-8 cannot).
 *
 * Imports call this once a row, so a row is scanned once by character code, and walked as a value only when that scan, or one
 * regular expression, saw something that could be forbidden: about 1 µs for a document of a few hundred bytes.
 */

/** Escapes can spell anything; the names can be keys or innocent text. Only a look at the value tells. */
const mayBeForbidden = /\\u|__proto__|constructor|prototype/;
export const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** A run this long, or any exponent, may overflow to Infinity: 10^308 is the last power that does not. */
const longNumberDigits = 200;

interface Where {
  /** What the text is, as the caller knows it: put in front of every path. */
  path?: string;
}

/** Where something stands in a text: characters before it, and line and column, which begin at 1. */
export interface Place {
  position: number;
  line: number;
  column: number;
}

/**
 * @throws AppError BAD_REQUEST whose details hold the dotted path, and the 0-based character position where one can be named
 */
export function parseJson(
  text: string,
  { valuesMax = limits.jsonValuesMax, ...where }: Where & { valuesMax?: number } = {},
): unknown {
  const scan = scanText(text, { where, valuesMax });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    throw brokenJson(where, placeOf(text, fault.position), fault.message, cause);
  }
  if (scan.hasOddNumbers || mayBeForbidden.test(text) || !text.isWellFormed()) {
    checkValue(value, where);
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const utf8Inner = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 as it must be; a byte order mark is dropped. @throws AppError BAD_REQUEST */
export function decodeUtf8(bytes: Uint8Array): string {
  return decode(utf8, bytes);
}

/** The same for what others stand before, where the mark is a character. @throws AppError BAD_REQUEST */
export function decodeInner(bytes: Uint8Array): string {
  return decode(utf8Inner, bytes);
}

function decode(decoder: typeof utf8, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw refuse({}, 'This is not valid UTF-8', { cause });
  }
}

export function brokenJson(where: Where, place: Place, message: string, cause?: unknown): AppError {
  const { position, line, column } = place;
  const at = line === 1 ? `position ${position}` : `line ${line}, column ${column} (position ${position})`;
  return refuse(where, `Broken JSON at ${at}: ${message}`, { position, cause });
}

export function refuse(
  where: Where,
  message: string,
  options: { position?: number; cause?: unknown } = {},
): AppError {
  const detail: ErrorDetail = { path: where.path ?? '', message };
  if (options.position !== undefined) detail.position = options.position;
  return new AppError('BAD_REQUEST', where.path ? `${where.path}: ${message}` : message, {
    details: [detail],
    cause: options.cause,
  });
}

function placeOf(text: string, position: number): Place {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < position; at += 1) {
    if (text.charCodeAt(at) !== newline) continue;
    line += 1;
    lineStart = at + 1;
  }
  return { position, line, column: position - lineStart + 1 };
}

/** By depth, of the container that is open there; what is no JSON may close more than it opens. Used again for the next text. */
const members = new Uint32Array(limits.jsonDepthMax + 1);

/** One pass over the text, which need not be JSON at all: depth, keys and values are bounded before anything is built from it. */
function scanText(
  text: string,
  { where, valuesMax }: { where: Where; valuesMax: number },
): { hasOddNumbers: boolean } {
  let depth = 0;
  let keys = 0;
  members.fill(0, 0, 1);
  let values = 1;
  let digits = 0;
  let hasOddNumbers = false;
  let lastStringCharacters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      if (++digits > longNumberDigits) hasOddNumbers = true;
      continue;
    }
    // An exponent, unless it is the end of `true` or `false`, which no digit precedes.
    if ((code === 101 || code === 69) && digits > 0) hasOddNumbers = true;
    digits = 0;
    if (code === 34) {
      const end = endOfString(text, at);
      lastStringCharacters = end - at - 1;
      at = end;
    } else if (code === 58) {
      if (lastStringCharacters > limits.jsonKeyCharactersMax) {
        throw refuse(where, `A field name is longer than ${limits.jsonKeyCharactersMax} characters`, {
          position: at,
        });
      }
      if (++keys > limits.jsonKeysMax) {
        throw refuse(where, `More than ${limits.jsonKeysMax} fields`, { position: at });
      }
      const ofObject = (members[Math.max(0, depth)] ?? 0) + 1;
      members[Math.max(0, depth)] = ofObject;
      if (ofObject > limits.jsonMembersMax) {
        throw refuse(where, `More than ${limits.jsonMembersMax} fields in one object`, { position: at });
      }
    } else if (code === 123 || code === 91) {
      if (++depth > limits.jsonDepthMax) {
        throw refuse(where, `Nested deeper than ${limits.jsonDepthMax} levels`, { position: at });
      }
      members[Math.max(0, depth)] = 0;
      values++;
    } else if (code === 125 || code === 93) depth--;
    else if (code === 44) values++;
    if (values > valuesMax) {
      throw refuse(where, `More than ${valuesMax} values`, { position: at });
    }
  }
  return { hasOddNumbers };
}

/** Position of the quote that closes the string opened at `at`, or of the text's end. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/**
 * Depth is bounded by the scan, so recursion is.
 * @throws AppError BAD_REQUEST with the path of what is forbidden
 */
export function checkValue(value: unknown, where: Where = {}): void {
  const fault = findForbidden(value);
  if (fault === null) return;
  const path = fault.path.reverse();
  if (where.path) path.unshift(where.path);
  throw refuse({ path: path.join('.') }, fault.message);
}

interface Forbidden {
  /** From the inside out: made only once something is forbidden. */
  path: string[];
  message: string;
}

function findForbidden(value: unknown): Forbidden | null {
  if (typeof value === 'string') return forbiddenText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { path: [], message: 'is a number too large to hold' };
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? findInItems(value) : findInMembers(value);
}

function findInItems(items: unknown[]): Forbidden | null {
  for (let i = 0; i < items.length; i += 1) {
    const fault = findForbidden(items[i]);
    if (fault !== null) return inside(fault, String(i));
  }
  return null;
}

function findInMembers(members: object): Forbidden | null {
  for (const [key, item] of Object.entries(members)) {
    const message = 'is not allowed as a field name';
    if (forbiddenKeys.has(key)) return { path: [key], message };
    if (key.includes('\u0000') || !key.isWellFormed()) return { path: [JSON.stringify(key)], message };
    const fault = findForbidden(item);
    if (fault !== null) return inside(fault, key);
  }
  return null;
}

function inside(fault: Forbidden, step: string): Forbidden {
  fault.path.push(step);
  return fault;
}

function forbiddenText(text: string): Forbidden | null {
  if (text.includes('\u0000')) return { path: [], message: 'must not contain U+0000' };
  return text.isWellFormed() ? null : { path: [], message: 'contains half of a surrogate pair' };
}
