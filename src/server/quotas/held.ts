import { and, count, eq, isNull, sql, sum } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import type { Plan, QuotaName } from '#shared/plans.ts';

/** What a workspace has that it can delete again. */
export type Held = Record<Exclude<QuotaName, 'requests'>, number> & { plan: Plan };

/**
 * One statement, whatever the number of documents: their counts stand in their collections. What is deleted counts no more, though it can
 * be restored.
 * @throws AppError NOT_FOUND when the workspace is gone
 */
export async function readHeld(db: ReadDatabase, workspaceId: number): Promise<Held> {
  const own = db
    .select({
      collections: count().as('collections'),
      documents: sql`coalesce(${sum(collections.documentCount)}, 0)`.mapWith(Number).as('documents'),
      bytes: sql`coalesce(${sum(collections.documentBytes)}, 0)`.mapWith(Number).as('bytes'),
    })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(and(eq(projects.workspaceId, workspaceId), isNull(collections.deletedAt)))
    .as('own');
  const keys = db
    .select({ keys: count().as('keys') })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(eq(projects.workspaceId, workspaceId), isNull(projects.deletedAt), isNull(apiKeys.deletedAt)))
    .as('own_keys');
  const people = db
    .select({ members: count().as('members') })
    .from(members)
    .where(eq(members.workspaceId, workspaceId))
    .as('own_members');
  const [held] = await db
    .select({
      plan: workspaces.plan,
      collections: own.collections,
      documents: own.documents,
      bytes: own.bytes,
      keys: keys.keys,
      members: people.members,
    })
    .from(workspaces)
    .innerJoin(own, sql`true`)
    .innerJoin(keys, sql`true`)
    .innerJoin(people, sql`true`)
    .where(eq(workspaces.id, workspaceId));
  if (!held) throw notFound('Workspace');
  return held;
}
