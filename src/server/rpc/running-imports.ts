import { and, desc, eq, isNull } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { imports } from '#server/db/schema/imports.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { importColumns } from '#server/indexes/imports/import-columns.ts';
import { limits } from '#shared/limits.ts';

/** Imports of a workspace that the record says are under way, the newest first, each with its collection. */
export function selectRunningImports(db: ReadDatabase, workspaceId: number) {
  return db
    .select({ row: importColumns, id: collections.id, name: collections.name })
    .from(imports)
    .innerJoin(collections, and(eq(collections.id, imports.collectionId), isNull(collections.deletedAt)))
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(and(eq(projects.workspaceId, workspaceId), eq(imports.state, 'running')))
    .orderBy(desc(imports.id))
    .limit(limits.importsShownMax);
}
