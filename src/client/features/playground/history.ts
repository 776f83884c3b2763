import { isRecord } from '#client/lib/json.ts';
import { readForUser, writeForUser } from '#client/lib/user-storage.ts';
import type { ApiRequest } from './send-request.ts';

/** A request that was sent. Keys are named, never kept. */
export interface SentRequest extends ApiRequest {
  endpoint: string;
  collection: number | null;
  keyName: string;
  status: number;
  timeMs: number;
  atMs: number;
}

const sentMax = 30;
/** Longer bodies are not kept; the request is. */
const bodyCharactersMax = 16_384;

const storedAs = 'playgroundHistory';

/** The newest first. */
export function readHistory(userId: number): SentRequest[] {
  const stored = readForUser(storedAs, userId);
  return Array.isArray(stored) ? stored.filter(isSent).slice(0, sentMax) : [];
}

/** The list with one more. */
export function remember(userId: number, history: SentRequest[], sent: SentRequest): SentRequest[] {
  const isShort = (sent.body?.length ?? 0) <= bodyCharactersMax;
  const next = [{ ...sent, body: isShort ? sent.body : null }, ...history].slice(0, sentMax);
  writeForUser(storedAs, userId, next);
  return next;
}

export function clearHistory(userId: number): void {
  writeForUser(storedAs, userId, []);
}

function isSent(value: unknown): value is SentRequest {
  if (!isRecord(value)) return false;
  const { endpoint, method, path, body, status, timeMs, atMs, keyName, collection } = value;
  return (
    [endpoint, method, path, keyName].every((text) => typeof text === 'string') &&
    [status, timeMs, atMs].every((number) => typeof number === 'number') &&
    (body === null || typeof body === 'string') &&
    (collection === null || typeof collection === 'number')
  );
}
