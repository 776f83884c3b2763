import { and, eq, isNull } from 'drizzle-orm';
import { collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import {
  type Collection,
  collectionCreate,
  collectionList,
  collectionRef,
  collectionRestore,
  collectionUpdate,
} from '#shared/collections.ts';
import { hideCollection } from '../deletion/hide.ts';
import { restoreCollection } from '../deletion/restore-collection.ts';
import { recordEvent } from '../events.ts';
import { getKnownCollection } from '../known-collections.ts';
import {
  type CallerContext,
  type CollectionRow,
  getCollection,
  getProject,
  getWorkspace,
  listCollections,
} from '../scope.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';
import { unlessNameTaken } from '../unless-name-taken.ts';

function toCollection(row: Omit<CollectionRow, 'workspaceId'>): Collection {
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
): Promise<{ id: number; workspaceId: number }> {
  const { principal } = ctx;
  if (principal.kind === 'user') {
    if (projectId === undefined) throw badRequest('projectId', 'Please select a project');
    return await getProject({ ...ctx, principal }, projectId, 'share');
  }
  if (projectId !== undefined && projectId !== principal.projectId) throw notFound('Project');
  if (principal.collectionIds) {
    throw new AppError(
      'FORBIDDEN',
      'This API key is limited to certain collections; it cannot create others',
    );
  }
  const [project] = await ctx.db
    .select({ id: projects.id, workspaceId: projects.workspaceId })
    .from(projects)
    .where(and(eq(projects.id, principal.projectId), isNull(projects.deletedAt)))
    .for('share');
  if (!project) throw notFound('Project');
  return project;
}

export const collectionsRouter = router({
  list: keyProcedure('read')
    .meta({ rest: { at: 'GET /api/collections', summary: 'List collections' } })
    .input(collectionList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { principal } = ctx;
      if (principal.kind === 'user') {
        if (input.projectId !== undefined) await getProject({ ...ctx, principal }, input.projectId);
        if (input.workspaceId !== undefined) await getWorkspace({ ...ctx, principal }, input.workspaceId);
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
      return (await listCollections(ctx, narrow)).map(toCollection);
    }),

  get: keyProcedure('read')
    .meta({ rest: { at: 'GET /api/collections/{name:collection}', summary: 'Get a collection' } })
    .input(collectionRef)
    .query(async ({ ctx, input }) => toCollection(await getCollection(ctx, input.collection))),

  create: keyProcedure('write')
    .meta({ rest: { at: 'POST /api/collections', summary: 'Create a collection', answer: 'created' } })
    .input(collectionCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const project = await projectForNew(ctx, input.projectId);
      const now = ctx.deps.clock();
      const [created] = await unlessNameTaken(
        input.name,
        ctx.db
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
          .returning(),
      );
      if (!created) throw new Error('the inserted collection was not returned');
      await recordEvent(ctx, {
        workspaceId: project.workspaceId,
        type: 'collection_created',
        description: `Collection "${created.name}" was created`,
      });
      return toCollection(created);
    }),

  update: keyProcedure('write')
    .meta({ rest: { at: 'PUT /api/collections/{name:collection}', summary: 'Update a collection' } })
    .input(collectionUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const found = await getCollection(ctx, input.collection);
      const [updated] = await unlessNameTaken(
        input.name ?? found.name,
        ctx.db
          .update(collections)
          .set({
            ...(input.name !== undefined && { name: input.name }),
            ...(input.description !== undefined && { description: input.description || null }),
            ...(input.isActive !== undefined && { isActive: input.isActive }),
            updatedAt: ctx.deps.clock(),
          })
          .where(and(eq(collections.id, found.id), isNull(collections.deletedAt)))
          .returning(),
      );
      if (!updated) throw notFound('Collection');
      await recordEvent(ctx, {
        workspaceId: found.workspaceId,
        type: 'collection_updated',
        description: `Collection "${updated.name}" was updated`,
      });
      return toCollection(updated);
    }),

  delete: keyProcedure('write')
    .meta({ rest: { at: 'DELETE /api/collections/{name:collection}', summary: 'Delete a collection' } })
    .input(collectionRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const found = await getCollection(ctx, input.collection);
      await hideCollection(ctx, found.id);
      await recordEvent(ctx, {
        workspaceId: found.workspaceId,
        type: 'collection_deleted',
        description: `Collection "${found.name}" was deleted`,
      });
      return toCollection(found);
    }),

  restore: keyProcedure('write')
    .input(collectionRestore)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const restored = await restoreCollection(ctx, input.id);
      await recordEvent(ctx, {
        workspaceId: restored.workspaceId,
        type: 'collection_restored',
        description: `Collection "${restored.name}" was restored`,
      });
      return toCollection(restored);
    }),

  /** What the index has seen in the documents: each field's types and how many documents bear it. */
  fields: keyProcedure('read')
    .input(collectionRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.fields(await getKnownCollection(ctx, input.collection), ctx.request.signal),
    ),
});
