import { type SQL, sql } from 'drizzle-orm';
import { users } from '#server/db/schema/accounts.ts';
import { members, type projects, type workspaces } from '#server/db/schema/workspaces.ts';

/**
 * The account that owns a workspace, as a column of a query: of several the one that has been its owner longest, so that nobody is charged for
 * a workspace by being made one of its owners. One that is disabled only where there is no other. Null: nobody owns it.
 */
export function ownerIdOf(
  workspaceId: typeof projects.workspaceId | typeof workspaces.id,
): SQL<number | null> {
  // A column in a template of its own keeps its table's name, also where only one table is selected from.
  const own = sql`${workspaceId}`;
  return sql`(select owners.user_id from ${members} owners join ${users} accounts on accounts.id = owners.user_id
    where owners.workspace_id = ${own} and owners.role = 'owner'
    order by accounts.disabled_at is not null, owners.role_since, owners.user_id limit 1)`.mapWith(
    members.userId,
  );
}
