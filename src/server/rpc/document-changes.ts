import type { KnownCollection } from '#server/auth/known/known-callers.ts';
import type { WriteOptions } from '#server/db/client.ts';
import { badRequest } from '#server/errors.ts';
import type { Act } from './act.ts';

/** The id stands in the path; a body may repeat it, not change it. @throws AppError BAD_REQUEST */
export function withId(id: string, document: Record<string, unknown>): Record<string, unknown> {
  const own = document['id'];
  if (own !== undefined && own !== null && String(own) !== id) {
    throw badRequest('id', `is "${String(own)}" in the document, "${id}" in the path`);
  }
  return { ...document, id };
}

/** Together they take more than what is written down of their deletion. */
const freeing = 8;

/** What frees space goes on when storage is nearly full; what frees none, or hardly any, has a ration of what is left. */
export function reserveOf({ for: { tenant } }: KnownCollection, deleted: number): WriteOptions {
  if (deleted >= freeing) return { mayUseReserve: true };
  return { mayUseReserve: { of: deleted === 0 ? 'exports' : 'deletions', tenant } };
}

/** What is written down of an import, an export and a deletion by filter. */
export function actOn(action: string, { id, name, workspaceId }: KnownCollection, after: Act['after']) {
  return { action, workspaceId, target: { kind: 'collection', id, name } as const, after };
}
