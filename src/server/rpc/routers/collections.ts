import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { violatedUnique } from '#server/db/violations.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import {
  type Collection,
  collectionCreate,
  collectionList,
  collectionRef,
  collectionRestore,
  collectionUpdate,
} from '#shared/collections.ts';
import { dropIndexes, hideCollection, nameTaken, restoreCollection } from '../deletion.ts';
import { recordEvent } from '../events.ts';
import {
  type CallerContext,
  type CollectionRow,
  findCollection,
  findProject,
  findWorkspace,
  listCollections,
} from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

function describe(row: Omit<CollectionRow, 'workspaceId'>): Collection {
  const { id, name, description, dimension, metric, projectId, metadata, documentCount, isActive } = row;
  return {
    id,
    name,
    description,
    dimension,
    metric,
    projectId,
    metadata,
    documentCount,
    isActive,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The project a new collection goes into, locked against being deleted meanwhile; a key's own, whatever the request says. */
async function projectForNew(
  ctx: CallerContext,
  projectId: number | undefined,
  tx: Database,
): Promise<{ id: number; workspaceId: number }> {
  const { principal } = ctx;
  if (principal.kind === 'user') {
    if (projectId === undefined) throw badRequest('projectId', 'Please select a project');
    return await findProject({ ...ctx, principal }, projectId, tx, 'share');
  }
  if (projectId !== undefined && projectId !== principal.projectId) throw notFound('Project');
  if (principal.collectionIds) {
    throw new AppError(
      'FORBIDDEN',
      'This API key is limited to certain collections; it cannot create others',
    );
  }
  const [project] = await tx
    .select({ id: projects.id, workspaceId: projects.workspaceId })
    .from(projects)
    .where(and(eq(projects.id, principal.projectId), isNull(projects.deletedAt)))
    .for('share');
  if (!project) throw notFound('Project');
  return project;
}

export const collectionsRouter = router({
  list: keyProcedure('read')
    .input(collectionList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { principal } = ctx;
      if (principal.kind === 'user') {
        if (input.projectId !== undefined) await findProject({ ...ctx, principal }, input.projectId);
        if (input.workspaceId !== undefined) await findWorkspace({ ...ctx, principal }, input.workspaceId);
      } else {
        if (input.projectId !== undefined && input.projectId !== principal.projectId)
          throw notFound('Project');
        if (input.workspaceId !== undefined && input.workspaceId !== principal.workspaceId)
          throw notFound('Workspace');
      }
      const narrow = and(
        input.projectId === undefined ? undefined : eq(collections.projectId, input.projectId),
        input.workspaceId === undefined ? undefined : eq(projects.workspaceId, input.workspaceId),
      );
      return (await listCollections(ctx, narrow)).map(describe);
    }),

  get: keyProcedure('read')
    .input(collectionRef)
    .query(async ({ ctx, input }) => describe(await findCollection(ctx, input.collection))),

  create: keyProcedure('write')
    .input(collectionCreate)
    .mutation(async ({ ctx, input }) => {
      const { record, clock } = ctx.deps;
      await record.assertWritable();
      try {
        return await record.db.transaction(async (tx) => {
          const project = await projectForNew(ctx, input.projectId, tx);
          const now = clock();
          const [created] = await tx
            .insert(collections)
            .values({
              projectId: project.id,
              name: input.name,
              description: input.description || null,
              dimension: input.dimension,
              metric: input.metric,
              metadata: input.metadata ?? null,
              createdAt: now,
              updatedAt: now,
            })
            .returning();
          if (!created) throw new Error('the inserted collection was not returned');
          await recordEvent(ctx, tx, {
            workspaceId: project.workspaceId,
            type: 'collection_created',
            description: `Collection "${created.name}" was created`,
          });
          return describe(created);
        });
      } catch (error) {
        throw violatedUnique(error) === null ? error : nameTaken(input.name);
      }
    }),

  update: keyProcedure('write')
    .input(collectionUpdate)
    .mutation(async ({ ctx, input }) => {
      const { record, clock } = ctx.deps;
      await record.assertWritable();
      try {
        return await record.db.transaction(async (tx) => {
          const found = await findCollection(ctx, input.collection, tx);
          const [updated] = await tx
            .update(collections)
            .set({
              ...(input.name !== undefined && { name: input.name }),
              ...(input.description !== undefined && { description: input.description || null }),
              ...(input.isActive !== undefined && { isActive: input.isActive }),
              updatedAt: clock(),
            })
            .where(and(eq(collections.id, found.id), isNull(collections.deletedAt)))
            .returning();
          if (!updated) throw notFound('Collection');
          await recordEvent(ctx, tx, {
            workspaceId: found.workspaceId,
            type: 'collection_updated',
            description: `Collection "${updated.name}" was updated`,
          });
          return describe(updated);
        });
      } catch (error) {
        throw violatedUnique(error) === null ? error : nameTaken(input.name ?? '');
      }
    }),

  delete: keyProcedure('write')
    .input(collectionRef)
    .mutation(async ({ ctx, input }) => {
      const deleted = await ctx.deps.record.db.transaction(async (tx) => {
        const found = await findCollection(ctx, input.collection, tx);
        await hideCollection(tx, found.id, ctx.deps.clock());
        await recordEvent(ctx, tx, {
          workspaceId: found.workspaceId,
          type: 'collection_deleted',
          description: `Collection "${found.name}" was deleted`,
        });
        return found;
      });
      await dropIndexes(ctx, [deleted.id]);
      return describe(deleted);
    }),

  restore: keyProcedure('write')
    .input(collectionRestore)
    .mutation(async ({ ctx, input }) => {
      const { record } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const restored = await restoreCollection(ctx, tx, input.id);
        await recordEvent(ctx, tx, {
          workspaceId: restored.workspaceId,
          type: 'collection_restored',
          description: `Collection "${restored.name}" was restored`,
        });
        return describe(restored);
      });
    }),

  /** What the index has seen in the documents: each field's types and how many documents bear it. */
  fields: keyProcedure('read')
    .input(collectionRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.fields(await findCollection(ctx, input.collection), ctx.request.signal),
    ),
});
