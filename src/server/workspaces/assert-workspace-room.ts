import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';

/**
 * That an account owns no more workspaces than it may. Asked in the transaction that makes or restores one, after that: such transactions
 * of one account take turns from here to their end.
 * @param max 0: any number
 * @throws AppError UNPROCESSABLE
 */
export async function assertWorkspaceRoom(db: Database, ownerId: number, max: number): Promise<void> {
  if (max === 0) return;
  await db.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update');
  const owned = await db
    .select({ id: workspaces.id })
    .from(members)
    .innerJoin(workspaces, and(eq(workspaces.id, members.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(eq(members.userId, ownerId), eq(members.role, 'owner')))
    .limit(max + 1);
  if (owned.length <= max) return;
  throw new AppError(
    'UNPROCESSABLE',
    `An account owns at most ${max} workspaces on this server; delete one before you add another`,
  );
}
