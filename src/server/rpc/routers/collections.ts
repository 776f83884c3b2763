import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { AppError, badRequest, notFound } from '#server/errors.ts';
import {
  type Collection,
  collectionCreate,
  collectionList,
  collectionRef,
  collectionRestore,
  collectionShape,
  collectionUpdate,
  collectionWithProgress,
  repairedShape,
  verifiedShape,
} from '#shared/collections.ts';
import { auditBefore } from '../act.ts';
import { hideCollection } from '../deletion/hide.ts';
import { restoreCollection } from '../deletion/restore-collection.ts';
import { getKnownCollection } from '../known-collections.ts';
import { readPage } from '../read-page.ts';
import { changesOf, recordAct } from '../record-act.ts';
import {
  assertVisible,
  type CallerContext,
  type CollectionRow,
  getCollection,
  getProject,
  selectCollections,
} from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';
import { unlessNameTaken } from '../unless-name-taken.ts';
import { upgradeCounts } from '../upgrade-counts.ts';

const thingOf = ({ id, name, workspaceId }: CollectionRow) => ({ id, name, workspaceId });

const toCollection = (row: Omit<CollectionRow, 'workspaceId'>): Collection => toEntity(collectionShape, row);

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
    .meta({
      rest: {
        at: 'GET /api/collections',
        summary: 'List collections',
        description: 'All that the caller may see, or those of one project.',
        playground: 'Collections',
        answer: 'page',
        output: z.array(collectionShape),
      },
    })
    .input(collectionList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { projectId, workspaceId } = input;
      await assertVisible(ctx, { projectId, workspaceId });
      const which = and(
        projectId === undefined ? undefined : eq(collections.projectId, projectId),
        workspaceId === undefined ? undefined : eq(projects.workspaceId, workspaceId),
      );
      const rows = (narrow?: SQL) => selectCollections(ctx, and(which, narrow));
      const page = await readPage(ctx, input, { id: collections.id, rows });
      return page.map(({ collection }) => toCollection(collection));
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}',
        summary: 'Get a collection',
        description: 'How it is set up, and how many documents it holds.',
        playground: 'Collections',
        output: collectionWithProgress,
      },
    })
    .input(collectionRef)
    .query(async ({ ctx, input }) => {
      const found = await getCollection(ctx, input.collection);
      return { ...toCollection(found), ...(await upgradeCounts(ctx.db, found)) };
    }),

  create: keyProcedure('write')
    .meta({
      act: 'Collection created',
      rest: {
        at: 'POST /api/collections',
        summary: 'Create a collection',
        description: 'It is empty and ready at once. Dimension and metric stay as they are from then on.',
        example: {
          name: 'books',
          description: 'Books to search',
          dimension: 384,
          metric: 'cosine',
          metadata: { fields: [{ name: 'year', type: 'number' }] },
        },
        playground: 'Collections',
        answer: 'created',
        output: collectionShape,
      },
    })
    .input(collectionCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { id: projectId, workspaceId } = await projectForNew(ctx, input.projectId);
      const now = ctx.deps.clock();
      const [created] = await unlessNameTaken(
        input.name,
        ctx.db
          .insert(collections)
          .values({
            ...input,
            projectId,
            model: ctx.deps.indexes.modelFor(input.dimension),
            createdAt: now,
            updatedAt: now,
          })
          .returning(),
      );
      if (!created) throw new Error('the inserted collection was not returned');
      await ctx.deps.quotas.assertRoom(ctx.db, workspaceId, { collections: 1 });
      const { id, name, description, dimension, metric, metadata } = created;
      const after = { projectId, description, dimension, metric, metadata };
      await recordAct(ctx, 'collection_created', { workspaceId, id, name, after });
      return toCollection(created);
    }),

  update: keyProcedure('write')
    .meta({
      act: 'Collection updated',
      rest: {
        at: 'PUT /api/collections/{name:collection}',
        summary: 'Update a collection',
        example: { collection: 'films', description: 'Films to search' },
        output: collectionShape,
      },
    })
    .input(collectionUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection, ...changes } }) => {
      const before = await getCollection(ctx, collection);
      const { id, workspaceId } = before;
      const [updated] = await unlessNameTaken(
        changes.name ?? before.name,
        ctx.db
          .update(collections)
          .set({ ...changes, updatedAt: ctx.deps.clock() })
          .where(and(eq(collections.id, id), isNull(collections.deletedAt)))
          .returning(),
      );
      if (!updated) throw notFound('Collection');
      const changed = changesOf(changes, before, updated);
      await recordAct(ctx, 'collection_updated', { workspaceId, id, name: updated.name, ...changed });
      return toCollection(updated);
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Collection deleted',
      rest: {
        at: 'DELETE /api/collections/{name:collection}',
        summary: 'Delete a collection',
        description: 'With all of its documents and rules.',
        playground: 'Collections',
        output: collectionShape,
      },
    })
    .input(collectionRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const found = await getCollection(ctx, input.collection);
      await hideCollection(ctx, found.id);
      await recordAct(ctx, 'collection_deleted', thingOf(found));
      return toCollection(found);
    }),

  restore: keyProcedure('write')
    .meta({ act: 'Collection restored' })
    .input(collectionRestore)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const restored = await restoreCollection(ctx, input.id);
      await recordAct(ctx, 'collection_restored', thingOf(restored));
      return toCollection(restored);
    }),

  /** Its documents are as they were; only what they are searched by is made anew. */
  repair: keyProcedure('write')
    .meta({
      act: 'Index rebuilt',
      rest: {
        at: 'POST /api/collections/{name:collection}/repair',
        summary: 'Rebuild the index of a collection from its stored documents',
        body: null,
        output: repairedShape,
      },
    })
    .input(collectionRef)
    .mutation(async ({ ctx, input }) => {
      const collection = await getKnownCollection(ctx, input.collection);
      const { id, name, workspaceId } = collection;
      const target = { kind: 'collection', id, name } as const;
      const act = { action: 'collections.repair', workspaceId, target };
      return await ctx.deps.indexes.repair(collection, () => auditBefore(ctx, act));
    }),

  /** Reads all of both, so it is for whoever may repair. */
  verify: keyProcedure('write')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/verify',
        summary: 'Compare the index of a collection with its stored documents',
        body: null,
        output: verifiedShape,
      },
    })
    .input(collectionRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.verify(await getKnownCollection(ctx, input.collection), ctx.request.signal),
    ),

  /** What the index has seen in the documents: each field's types and how many documents bear it. */
  fields: keyProcedure('read')
    .input(collectionRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.read(
        await getKnownCollection(ctx, input.collection),
        { call: 'fields' },
        ctx.request.signal,
      ),
    ),
});
