import { AppError, causesOf } from '#server/errors.ts';

/** The record cannot be opened, and a person has to do something about it; the message is made to be printed as it is. */
export class RecordNotOpened extends Error {}

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Of our own limits on waiting: the first says that the database is not there, the others that it has too much to do. */
const silenceCode = 'DATABASE_SILENT';
const waitCodes = new Set([silenceCode, 'POOL_BUSY', 'STATEMENT_TOO_LONG']);

/** SQLSTATE classes and codes under which the server itself is away: connection exceptions, shutting down, starting up, no connection left. */
const awayState = /^(08...|57P0[1-5]|53300|25006)$/;
const storageState = /^(53100|58030)$/;
/** Classes that blame what the statement carries: data exceptions, constraints, limits of a row. */
const dataState = /^(22|23|54)...$/;

/**
 * What a driver's error means for the caller when it is the database's state and not the statement that failed: 503, naming storage
 * or the database. Null for every other error. Looks through the causes, since drizzle wraps the driver's error.
 */
export function toRecordError(error: unknown): AppError | null {
  for (const cause of causesOf(error)) {
    const found = fromDriver(cause, error);
    if (found) return found;
  }
  return null;
}

/** Whether the connection a statement ran on is gone, or goes with this error. */
export function isConnectionLoss(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const { code, severity } = cause as { code?: unknown; severity?: unknown };
    if (connectionCodes.has(String(code)) || severity === 'FATAL' || severity === 'PANIC') return true;
  }
  return false;
}

/** Whether the driver says that the database cannot be reached; one that is only slow to answer can. */
export function isDatabaseAway(error: unknown): boolean {
  for (const cause of causesOf(error)) if (saysAway(cause)) return true;
  return false;
}

/** Whether the statement was refused for its values, so that the same ones are refused whenever they are sent again. */
export function blamesData(error: unknown): boolean {
  for (const cause of causesOf(error)) if (dataState.test(codeOf(cause))) return true;
  return false;
}

function fromDriver(error: Error, cause: unknown): AppError | null {
  if (storageState.test(codeOf(error))) return storageUnavailable(cause);
  return saysAway(error) || waitCodes.has(codeOf(error)) ? databaseUnavailable(cause) : null;
}

function saysAway(error: Error): boolean {
  const code = codeOf(error);
  const isMissingSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
  return connectionCodes.has(code) || code === silenceCode || awayState.test(code) || isMissingSocket;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function databaseUnavailable(cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The database does not answer at the moment; try again', {
    cause,
    retryAfterSeconds: 2,
  });
}

export function storageUnavailable(cause?: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'The storage of this server is nearly full: writes are refused until space is freed',
    { cause, retryAfterSeconds: 30 },
  );
}
