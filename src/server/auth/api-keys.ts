import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { hashApiKey, isWellFormedApiKey } from './key-format.ts';
import type { LastUse } from './last-use.ts';
import type { KeyPrincipal } from './principal.ts';

/** One sentence for every reason, so that an answer tells nothing about keys that exist. */
function refused(): AppError {
  return new AppError('UNAUTHORIZED', 'This API key is not valid');
}

/** Each call asks the record, so that a revoked key is dead with the next request. */
export function createKeyCheck(db: ReadDatabase, clock: () => Date, lastUse: LastUse) {
  return async function authenticateKey(rawKey: string): Promise<KeyPrincipal> {
    if (!isWellFormedApiKey(rawKey)) throw refused();
    const hash = hashApiKey(rawKey);
    const [row] = await db
      .select({ key: apiKeys, workspaceId: projects.workspaceId })
      .from(apiKeys)
      .innerJoin(projects, and(eq(projects.id, apiKeys.projectId), isNull(projects.deletedAt)))
      .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
      .where(eq(apiKeys.hash, hash));
    if (!row || !timingSafeEqual(row.key.hash, hash)) throw refused();
    const { key, workspaceId } = row;
    const now = clock();
    if (!key.isActive || (key.expiresAt !== null && key.expiresAt <= now)) throw refused();
    lastUse.note(key.id, key.lastUsedAt, now);
    return {
      kind: 'key',
      keyId: key.id,
      projectId: key.projectId,
      workspaceId,
      permissions: key.permissions,
      collectionIds: key.collectionIds,
    };
  };
}
