import { causesOf } from './errors.ts';

/** Structured log: one JSON object a line, secrets redacted by name and by shape before anything is written. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 } as const;
const secretNames =
  /^(password|confirmPassword|passwordHash|key|secret|appSecret|appSecretFormer|cookie|authorization|x-(?:\w+-)?api-key|apiKey|token|session|sessionId)$/i;
const secretShapes =
  /vk_[A-Za-z0-9_-]{8,}|(?<=\/(?:reset-password|confirm-email|invitations)\/)[\w-]{20,}|(?<=postgres(?:ql)?:\/\/[^:\s/]{0,200}:)[^@\s]{1,500}(?=@)|(?<=https?:\/\/[^:\s/@]{0,200}:)[^@\s/]{1,500}(?=@)/g;

/** One of these is in each. To look for them costs a tenth of the expression, which looks behind each place. */
const secretMarks = ['vk_', '://', '/reset-password/', '/confirm-email/', '/invitations/'];

/** Of one text of a line, and of the stack of an error. */
const textCharactersMax = 2_000;
const stackCharactersMax = 8_000;

/** As much of a text as may be in a line. */
export function cutText(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}

/** Whether what stands under a name is a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return secretMarks.some((mark) => text.includes(mark)) ? text.replaceAll(secretShapes, '[redacted]') : text;
}

function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cutText(redactText(value), textCharactersMax);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth > 5) return '[deep]';
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecretName(name) && item != null ? '[redacted]' : redact(item, depth + 1),
    ]),
  );
}

/**
 * A failed statement's error carries its parameters behind the statement, and whoever wraps it repeats the text: they are hashes, addresses,
 * documents. What is cut off, as it stands in the text.
 */
function parametersOf(error: Error): string | null {
  for (const cause of causesOf(error)) {
    if ('query' in cause && 'params' in cause) {
      const start = cause.message.indexOf('\nparams: ');
      return start === -1 ? null : cause.message.slice(start);
    }
  }
  return null;
}

function describeError(error: Error, depth: number): LogFields {
  const parameters = parametersOf(error);
  const clean = (text: string) => redactText(parameters === null ? text : text.replaceAll(parameters, ''));
  const fields: LogFields = { name: error.name, message: cutText(clean(error.message), textCharactersMax) };
  if ('code' in error) fields['code'] = redact(error.code, depth + 1);
  if (error.stack) fields['stack'] = cutText(clean(error.stack), stackCharactersMax);
  if (error.cause !== undefined) fields['cause'] = redact(error.cause, depth + 1);
  return fields;
}

export function createLog(
  level: LogLevel | 'silent',
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  clock: () => Date = () => new Date(),
  base: LogFields = {},
): Log {
  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (levels[own] < levels[level]) return;
    const entry = { time: clock().toISOString(), level: own, message, ...base, ...fields };
    write(JSON.stringify(redact(entry)));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(level, write, clock, { ...base, ...fields }),
  };
}
