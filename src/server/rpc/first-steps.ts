import { and, count, eq, gt, isNull, max, sql, sum } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { detectedLanguages } from '#server/db/schema/rules.ts';
import { searchDays } from '#server/db/schema/search-log.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import type { FirstSteps } from '#shared/dashboard.ts';

/** What has been done in a workspace. Searches are counted a few seconds after they were answered. */
export async function readFirstSteps(db: ReadDatabase, workspaceId: number): Promise<FirstSteps> {
  const living = and(eq(projects.workspaceId, workspaceId), isNull(projects.deletedAt));
  const inCollections = and(living, isNull(collections.deletedAt));
  const [held] = await db
    .select({
      documents: sum(collections.documentCount).mapWith(Number),
      // Those that a detected language made are nobody's tuning.
      rulesChanges: max(sql`${collections.rulesVersion} - coalesce(${detectedLanguages.changes}, 0)`).mapWith(
        Number,
      ),
    })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .leftJoin(detectedLanguages, eq(detectedLanguages.collectionId, collections.id))
    .where(inCollections);
  const searched = await db
    .select({ id: searchDays.collectionId })
    .from(searchDays)
    .innerJoin(collections, eq(collections.id, searchDays.collectionId))
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(and(inCollections, gt(searchDays.searches, 0)))
    .limit(1);
  const [keys] = await db
    .select({ all: count(), used: count(apiKeys.lastUsedAt) })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(living, isNull(apiKeys.deletedAt)));
  return {
    hasDocuments: (held?.documents ?? 0) > 0,
    hasSearched: searched.length > 0,
    hasKey: (keys?.all ?? 0) > 0,
    hasUsedKey: (keys?.used ?? 0) > 0,
    hasTuned: (held?.rulesChanges ?? 0) > 0,
  };
}
