import type { IncomingMessage } from 'node:http';
import type { Admission } from '#server/admission/admission.ts';
import { wayOf } from '#server/rest/handle-rest.ts';
import { findOperation } from '#server/rest/match.ts';
import { isRead, isStreamed } from '#server/rpc/procedures.ts';
import { limits } from '#shared/limits.ts';
import { proceduresOf, trpcPath } from '../procedures-of.ts';

/** Which way in a request would take of which nothing but the head is there. */
export interface Asked {
  way: keyof Admission;
  /** The procedures of a call over tRPC, and whether what answers them is a list; null: REST. */
  calls: { names: string[]; isBatch: boolean } | null;
}

/** Null: it has no procedure to come to. @param path of the request's target */
export function askedOf({ method = '', url = '' }: IncomingMessage, path: string): Asked | null {
  if (path.startsWith(`${trpcPath}/`)) return askedOverTrpc(method, url);
  const operation = path.startsWith('/api/') ? findOperation(method, path) : null;
  return operation && { way: wayOf(operation), calls: null };
}

function askedOverTrpc(method: string, target: string): Asked | null {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return null;
  if (!URL.canParse(target, 'http://localhost')) return null;
  const url = new URL(target, 'http://localhost');
  const names = proceduresOf(url);
  if (names === null || names.length > limits.batchCallsMax || names.some(isStreamed)) return null;
  const isBatch = url.searchParams.get('batch') === '1';
  return { way: names.every(isRead) ? 'reads' : 'others', calls: { names, isBatch } };
}
