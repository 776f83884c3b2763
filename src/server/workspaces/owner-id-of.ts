import { type SQL, sql } from 'drizzle-orm';
import { members, type projects } from '#server/db/schema/workspaces.ts';

/** The account that owns a workspace, as a column of a query: of several the one with the lowest id. Null: nobody does. */
export function ownerIdOf(workspaceId: typeof projects.workspaceId): SQL<number | null> {
  return sql`(select min(owners.user_id) from ${members} owners
    where owners.workspace_id = ${workspaceId} and owners.role = 'owner')`.mapWith(members.userId);
}
