import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { users } from '#server/db/schema/accounts.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import type { Membership } from '#shared/workspaces.ts';

/** Those that the account is in, with how many it shares each with, and how many owners that can sign in it has; in one workspace where `workspaceId` is given. */
export async function selectMemberships(
  db: ReadDatabase,
  { userId, workspaceId }: { userId: number; workspaceId?: number },
): Promise<(Membership & { id: number; name: string })[]> {
  const countOf = (narrow: SQL) =>
    sql`(select count(*) from members others where others.workspace_id = ${workspaces}.id ${narrow})`.mapWith(
      Number,
    );
  // Who is disabled can neither give a role nor delete the workspace.
  const isOwner = sql`and others.role = 'owner'
    and exists (select from ${users} where ${users.id} = others.user_id and ${users.disabledAt} is null)`;
  return await db
    .select({
      id: workspaces.id,
      name: workspaces.name,
      role: members.role,
      members: countOf(sql``),
      owners: countOf(isOwner),
    })
    .from(members)
    .innerJoin(workspaces, and(eq(workspaces.id, members.workspaceId), isNull(workspaces.deletedAt)))
    .where(
      and(eq(members.userId, userId), workspaceId === undefined ? undefined : eq(workspaces.id, workspaceId)),
    )
    .orderBy(workspaces.id);
}

/** Nobody else could give anybody a role, or delete the workspace. */
export function isSoleOwner({ role, owners }: Membership): boolean {
  return role === 'owner' && owners === 1;
}
