import { and, eq, isNull, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import type { Membership } from '#shared/workspaces.ts';

/** Those that the account is in, with how many it shares each with; in one workspace where `workspaceId` is given. */
export async function selectMemberships(
  db: ReadDatabase,
  { userId, workspaceId }: { userId: number; workspaceId?: number },
): Promise<(Membership & { id: number; name: string })[]> {
  const countOf = (owners: boolean) =>
    sql`(select count(*) from members others
      where others.workspace_id = ${workspaces}.id ${owners ? sql`and others.role = 'owner'` : sql``})`.mapWith(
      Number,
    );
  return await db
    .select({
      id: workspaces.id,
      name: workspaces.name,
      role: members.role,
      members: countOf(false),
      owners: countOf(true),
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
