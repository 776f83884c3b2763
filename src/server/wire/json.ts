import { AppError } from '#server/errors.ts';
import type { ErrorDetail } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
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
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** A run this long, or any exponent, may overflow to Infinity: 10^308 is the last power that does not. */
const longNumberDigits = 200;

interface Where {
  /** What the text is, as the caller knows it: put in front of every path. */
  path?: string;
}

/**
 * @throws AppError BAD_REQUEST whose details hold the dotted path, and the 0-based character position where one can be named
 */
export function parseJson(text: string, where: Where = {}): unknown {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const scan = scanText(text, start, where);
  let value: unknown;
  try {
    value = JSON.parse(start === 0 ? text : text.slice(1));
  } catch (cause) {
    const fault = findJsonFault(text, start);
    throw refuse(where, `Broken JSON at ${placeOf(text, fault.position)}: ${fault.message}`, {
      position: fault.position,
      cause,
    });
  }
  if (scan.hasOddNumbers || mayBeForbidden.test(text) || !text.isWellFormed()) {
    checkValue(value, where.path ? [where.path] : []);
  }
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 as it must be; a byte order mark is dropped. @throws AppError BAD_REQUEST */
export function decodeUtf8(bytes: Uint8Array, where: Where = {}): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw refuse(where, 'This is not valid UTF-8', { cause });
  }
}

function refuse(
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

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  if (line === 1) return `position ${position}`;
  return `line ${line}, column ${position - before.lastIndexOf('\n')} (position ${position})`;
}

/** One pass over the text, which need not be JSON at all: depth and keys are bounded before anything is built from it. */
function scanText(text: string, start: number, where: Where): { hasOddNumbers: boolean } {
  let depth = 0;
  let keys = 0;
  let digits = 0;
  let hasOddNumbers = false;
  let lastStringCharacters = 0;
  for (let at = start; at < text.length; at++) {
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
    } else if (code === 123 || code === 91) {
      if (++depth > limits.jsonDepthMax) {
        throw refuse(where, `Nested deeper than ${limits.jsonDepthMax} levels`, { position: at });
      }
    } else if (code === 125 || code === 93) depth--;
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

/** Depth is bounded by the scan, so recursion is. */
function checkValue(value: unknown, path: string[]): void {
  if (typeof value === 'string') checkString(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw refuseAt(path, 'is a number too large to hold');
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(item, [...path, String(index)]);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const own = [...path, key];
    if (forbiddenKeys.has(key)) throw refuseAt(own, 'is not allowed as a field name');
    if (key.includes('\u0000') || !key.isWellFormed()) {
      throw refuseAt([...path, JSON.stringify(key)], 'is not allowed as a field name');
    }
    checkValue(item, own);
  }
}

function checkString(value: string, path: string[]): void {
  if (value.includes('\u0000')) throw refuseAt(path, 'must not contain U+0000');
  if (!value.isWellFormed()) throw refuseAt(path, 'contains half of a surrogate pair');
}

function refuseAt(path: string[], message: string): AppError {
  return refuse({ path: path.join('.') }, message);
}
