import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { collectionHealthInput, collectionHealthShape } from '#shared/monitoring.ts';
import { readPage } from '../read-page.ts';
import { getWorkspace } from '../scope.ts';
import { toCollectionHealth } from '../to-collection-health.ts';
import { memberProcedure, router } from '../trpc.ts';

const { id, name, projectId, isActive, documentCount, upgradedCount, documentBytes, version } = collections;

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
          .select({ id, name, projectId, isActive, documentCount, upgradedCount, documentBytes, version })
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
      const transformer = indexes.transformerState();
      return page.map((row) =>
        toCollectionHealth(row, indexes.look(row.id), {
          queriesPerHour: searches.get(row.id) ?? 0,
          transformer,
        }),
      );
    }),
});
