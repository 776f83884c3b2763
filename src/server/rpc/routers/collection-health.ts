import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/db/client.ts';
import { collections, documents, nextVectors } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { isBuiltInModel } from '#shared/built-in-models.ts';
import { collectionHealthInput, collectionHealthShape } from '#shared/monitoring.ts';
import { readPage } from '../read-page.ts';
import { getWorkspace } from '../scope.ts';
import { toCollectionHealth, type WithoutVectors } from '../to-collection-health.ts';
import { memberProcedure, router } from '../trpc.ts';

const {
  id,
  name,
  projectId,
  isActive,
  dimension,
  model,
  documentCount,
  upgradedCount,
  documentBytes,
  version,
} = collections;

export const collectionHealthRouter = router({
  /** By the indexes in memory: none is opened, and none waited for. */
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/monitoring/collections',
        summary: 'Whether the collections of a workspace are healthy, and how much they are asked',
        answer: 'page',
        output: z.array(collectionHealthShape),
      },
    })
    .input(collectionHealthInput)
    .query(async ({ ctx, input }) => {
      const workspace = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select({
            id,
            name,
            projectId,
            isActive,
            dimension,
            model,
            documentCount,
            upgradedCount,
            documentBytes,
            version,
          })
          .from(collections)
          .innerJoin(projects, eq(projects.id, collections.projectId))
          .where(
            and(
              eq(projects.workspaceId, workspace.id),
              isNull(projects.deletedAt),
              isNull(collections.deletedAt),
              narrow,
            ),
          )
          .orderBy(id);
      const page = await readPage(ctx, input, { id, rows });
      const { monitoring, indexes } = ctx.deps;
      const searches = await monitoring.searches.readHour(
        ctx.db,
        page.map((row) => row.id),
      );
      const models = indexes.models();
      const without = await countWithoutVectors(
        ctx.db,
        page.filter((row) => !isBuiltInModel(row.model)).map((row) => row.id),
      );
      const targetOf = (row: (typeof page)[number]) => {
        const target = indexes.targetOf(row);
        return target === row.model ? null : target;
      };
      const moved = await countMoved(
        ctx.db,
        new Map(
          page.flatMap((row) => {
            const target = targetOf(row);
            return target === null ? [] : [[row.id, target] as const];
          }),
        ),
      );
      return page.map((row) =>
        toCollectionHealth(row, indexes.look(row.id), {
          queriesPerHour: searches.get(row.id) ?? 0,
          models,
          without: without.get(row.id) ?? { pending: 0, refused: 0 },
          move: { nextModel: targetOf(row), moved: moved.get(row.id) ?? 0 },
        }),
      );
    }),
});

/** Documents whose vectors of the next model are there, by collection. `targets`: that model, by collection. */
async function countMoved(
  db: Pick<Database, 'select'>,
  targets: ReadonlyMap<number, string>,
): Promise<Map<number, number>> {
  if (targets.size === 0) return new Map();
  const { collectionId, model: next } = nextVectors;
  const rows = await db
    .select({ collectionId, next, moved: sql<number>`count(*)::int` })
    .from(nextVectors)
    .where(inArray(collectionId, [...targets.keys()]))
    .groupBy(collectionId, next);
  const current = rows.filter((row) => row.next === targets.get(row.collectionId));
  return new Map(current.map((row) => [row.collectionId, row.moved]));
}

/** Documents that a service has given no vector, by collection. */
async function countWithoutVectors(
  db: Pick<Database, 'select'>,
  ids: number[],
): Promise<Map<number, WithoutVectors>> {
  if (ids.length === 0) return new Map();
  const isSo = (state: string) => sql<number>`(count(*) filter (where ${documents.modelId} = ${state}))::int`;
  const rows = await db
    .select({
      collectionId: documents.collectionId,
      pending: isSo('pending'),
      refused: isSo('refused'),
    })
    .from(documents)
    .where(and(inArray(documents.collectionId, ids), sql`${documents.modelId} in ('pending', 'refused')`))
    .groupBy(documents.collectionId);
  return new Map(rows.map(({ collectionId, ...counts }) => [collectionId, counts]));
}
