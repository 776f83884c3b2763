import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import { getInProject, getProject, type MemberContext, type Writing } from '../scope.ts';
import { undoableSince } from './undoable-since.ts';

interface RestoredKey {
  row: typeof apiKeys.$inferSelect;
  workspaceId: number;
}

/**
 * Brings back a deleted key as it was, with its value.
 * @throws AppError NOT_FOUND when its time is over, UNPROCESSABLE when others have taken its place in the project or in a quota
 */
export async function restoreApiKey(ctx: Writing<MemberContext>, id: number): Promise<RestoredKey> {
  const which = gt(apiKeys.deletedAt, undoableSince(ctx));
  const { row: deleted, workspaceId } = await getInProject(ctx, apiKeys, { id, called: 'API key', which });
  await getProject(ctx, deleted.projectId, 'no key update');
  await assertRoomForKey(ctx.db, deleted.projectId);
  const [row] = await ctx.db
    .update(apiKeys)
    .set({ deletedAt: null })
    .where(and(eq(apiKeys.id, id), which))
    .returning();
  // Restored by another request meanwhile.
  if (!row) throw notFound('API key');
  await ctx.deps.quotas.assertRoom(ctx.db, workspaceId, { keys: 1 });
  return { row, workspaceId };
}

/** Of a project that is locked, so that none counts while another is being added. @throws AppError UNPROCESSABLE */
export async function assertRoomForKey(db: Database, projectId: number): Promise<void> {
  const most = limits.apiKeysPerProjectMax;
  const living = and(eq(apiKeys.projectId, projectId), isNull(apiKeys.deletedAt));
  if ((await db.$count(apiKeys, living)) >= most)
    throw new AppError('UNPROCESSABLE', `A project has at most ${most} API keys`);
}
