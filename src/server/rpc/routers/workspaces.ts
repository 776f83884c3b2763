import { and, eq, isNull } from 'drizzle-orm';
import { createWorkspace } from '#server/db/create-workspace.ts';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { type Workspace, workspaceCreate, workspaceRef, workspaceUpdate } from '#shared/workspaces.ts';
import { dropIndexes, hideWorkspace, restoreWorkspace } from '../deletion.ts';
import { recordEvent } from '../events.ts';
import { findWorkspace, type WorkspaceRow } from '../scope.ts';
import { memberProcedure, router, sessionProcedure } from '../trpc.ts';

function describe(row: WorkspaceRow): Workspace {
  const { id, name, description, slug } = row;
  return {
    id,
    name,
    description,
    slug,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const workspacesRouter = router({
  list: sessionProcedure.query(async ({ ctx }): Promise<Workspace[]> => {
    const rows = await ctx.deps.record.db
      .select({ workspace: workspaces })
      .from(workspaces)
      .innerJoin(members, eq(members.workspaceId, workspaces.id))
      .where(and(eq(members.userId, ctx.principal.userId), isNull(workspaces.deletedAt)))
      .orderBy(workspaces.id);
    return rows.map((row) => describe(row.workspace));
  }),

  get: memberProcedure('viewer')
    .input(workspaceRef)
    .query(async ({ ctx, input }) => describe(await findWorkspace(ctx, input.id))),

  create: sessionProcedure.input(workspaceCreate).mutation(async ({ ctx, input }) => {
    const { record, clock } = ctx.deps;
    await record.assertWritable();
    const created = await record.db.transaction((tx) =>
      createWorkspace(tx, {
        name: input.name,
        description: input.description || null,
        slug: input.slug ?? null,
        ownerId: ctx.principal.userId,
        now: clock(),
      }),
    );
    return describe(created);
  }),

  update: memberProcedure('admin')
    .input(workspaceUpdate)
    .mutation(async ({ ctx, input }) => {
      const { record, clock } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const found = await findWorkspace(ctx, input.id, tx);
        const [updated] = await tx
          .update(workspaces)
          .set({
            ...(input.name !== undefined && { name: input.name }),
            ...(input.description !== undefined && { description: input.description || null }),
            updatedAt: clock(),
          })
          .where(and(eq(workspaces.id, found.id), isNull(workspaces.deletedAt)))
          .returning();
        if (!updated) throw notFound('Workspace');
        await recordEvent(ctx, tx, {
          workspaceId: updated.id,
          type: 'workspace_updated',
          description: `Workspace "${updated.name}" was updated`,
        });
        return describe(updated);
      });
    }),

  delete: memberProcedure('owner')
    .input(workspaceRef)
    .mutation(async ({ ctx, input }) => {
      const { deleted, collectionIds } = await ctx.deps.record.db.transaction(async (tx) => {
        const found = await findWorkspace(ctx, input.id, tx);
        await recordEvent(ctx, tx, {
          workspaceId: found.id,
          type: 'workspace_deleted',
          description: `Workspace "${found.name}" was deleted`,
        });
        return { deleted: found, collectionIds: await hideWorkspace(tx, found.id, ctx.deps.clock()) };
      });
      await dropIndexes(ctx, collectionIds);
      return describe(deleted);
    }),

  restore: memberProcedure('owner')
    .input(workspaceRef)
    .mutation(async ({ ctx, input }) => {
      const { record } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const restored = await restoreWorkspace(ctx, tx, input.id);
        await recordEvent(ctx, tx, {
          workspaceId: restored.id,
          type: 'workspace_restored',
          description: `Workspace "${restored.name}" was restored`,
        });
        return describe(restored);
      });
    }),
});
