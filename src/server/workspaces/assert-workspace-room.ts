import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { ownerIdOf } from './owner-id-of.ts';

/**
 * That the account which owns a workspace owns no more of them than it may, as `ownerIdOf` tells. Asked in the transaction that makes or
 * restores one, after that: such transactions of one account take turns from here to their end.
 * @param max 0: any number
 * @throws AppError UNPROCESSABLE
 */
export async function assertWorkspaceRoom(db: Database, workspaceId: number, max: number): Promise<void> {
  if (max === 0) return;
  const [workspace] = await db
    .select({ ownerId: ownerIdOf(workspaces.id) })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  const ownerId = workspace?.ownerId ?? null;
  if (ownerId === null) return;
  await db.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
  const owned = await db
    .select({ id: workspaces.id })
    .from(members)
    .innerJoin(workspaces, and(eq(workspaces.id, members.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(eq(members.userId, ownerId), eq(ownerIdOf(workspaces.id), ownerId)))
    .limit(max + 1);
  if (owned.length <= max) return;
  throw new AppError(
    'UNPROCESSABLE',
    `An account owns at most ${max} workspaces on this server; delete one before you add another`,
  );
}
