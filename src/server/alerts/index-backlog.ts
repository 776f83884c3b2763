import { and, count, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { collections } from '#server/db/schema/collections.ts';
import { indexOutbox } from '#server/db/schema/search-indexes.ts';
import { projects } from '#server/db/schema/workspaces.ts';

/**
 * How many changes of these workspaces' documents are not in the search cluster: given up, tried once and more, or not brought there by whoever made
 * them within ten seconds. Workspaces without any are not among them.
 */
export async function readBacklogs(
  db: ReadDatabase,
  workspaceIds: number[],
): Promise<ReadonlyMap<number, number>> {
  if (workspaceIds.length === 0) return new Map();
  const isLate = or(
    isNotNull(indexOutbox.fault),
    gt(indexOutbox.tries, 0),
    lte(indexOutbox.dueAt, sql`now()`),
  );
  const rows = await db
    .select({ workspaceId: projects.workspaceId, changes: count() })
    .from(indexOutbox)
    .innerJoin(collections, and(eq(collections.id, indexOutbox.collectionId), isNull(collections.deletedAt)))
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(and(isAnyOf(projects.workspaceId, workspaceIds), isLate))
    .groupBy(projects.workspaceId);
  return new Map(rows.map(({ workspaceId, changes }) => [workspaceId, changes]));
}
