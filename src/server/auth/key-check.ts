import { timingSafeEqual } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { hashApiKey, isWellFormedApiKey } from './key-format.ts';
import type { KnownCallers, KnownKey } from './known-callers.ts';
import type { LastUse } from './last-use.ts';
import type { KeyPrincipal } from './principal.ts';

/** One sentence for every reason, so that an answer tells nothing about keys that exist. */
function refused(): AppError {
  return new AppError('UNAUTHORIZED', 'This API key is not valid');
}

interface KeyCheckParts {
  db: ReadDatabase;
  known: KnownCallers['keys'];
  lastUse: LastUse;
  clock: () => Date;
}

/** Known keys are not looked up again; see `KnownAnswers`. */
export function createKeyCheck({ db, known, lastUse, clock }: KeyCheckParts) {
  return async function authenticateKey(rawKey: string): Promise<KeyPrincipal> {
    if (!isWellFormedApiKey(rawKey)) throw refused();
    const hash = hashApiKey(rawKey);
    const found = await known.ask(Buffer.from(hash).toString('hex'), () => findKey(db, hash));
    if (!found) throw refused();
    const { value: key, isConfirmed } = found;
    const now = clock();
    if (key.expiresAt !== null && key.expiresAt <= now) throw refused();
    key.lastUsedAt = lastUse.note(key.keyId, key.lastUsedAt, now);
    const { keyId, projectId, workspaceId, permissions, collectionIds } = key;
    return { kind: 'key', isConfirmed, keyId, projectId, workspaceId, permissions, collectionIds };
  };
}

async function findKey(db: ReadDatabase, hash: Uint8Array): Promise<KnownKey | null> {
  const [row] = await db
    .select({ key: apiKeys, workspaceId: projects.workspaceId })
    .from(apiKeys)
    .innerJoin(projects, and(eq(projects.id, apiKeys.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(eq(apiKeys.hash, hash));
  if (!row?.key.isActive || !timingSafeEqual(row.key.hash, hash)) return null;
  const { id: keyId, projectId, permissions, collectionIds, expiresAt, lastUsedAt } = row.key;
  return {
    keyId,
    projectId,
    workspaceId: row.workspaceId,
    permissions,
    collectionIds,
    expiresAt,
    lastUsedAt,
  };
}
