import { and, eq, isNull } from 'drizzle-orm';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { createWorkspace } from '#server/workspaces/create-workspace.ts';
import { type Workspace, workspaceCreate, workspaceRef, workspaceUpdate } from '#shared/workspaces.ts';
import { hideWorkspace } from '../deletion/hide.ts';
import { restoreWorkspace } from '../deletion/restore-workspace.ts';
import { recordEvent } from '../events.ts';
import { getWorkspace, type WorkspaceRow } from '../scope.ts';
import { inDeletion, inTransaction, memberProcedure, router, sessionProcedure } from '../trpc.ts';

function toWorkspace(row: WorkspaceRow): Workspace {
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
  list: sessionProcedure
    .meta({ rest: { at: 'GET /api/workspaces', summary: 'List your workspaces' } })
    .query(async ({ ctx }): Promise<Workspace[]> => {
      const rows = await ctx.db
        .select({ workspace: workspaces })
        .from(workspaces)
        .innerJoin(members, eq(members.workspaceId, workspaces.id))
        .where(and(eq(members.userId, ctx.principal.userId), isNull(workspaces.deletedAt)))
        .orderBy(workspaces.id);
      return rows.map((row) => toWorkspace(row.workspace));
    }),

  get: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/workspaces/{id}', summary: 'Get a workspace' } })
    .input(workspaceRef)
    .query(async ({ ctx, input }) => toWorkspace(await getWorkspace(ctx, input.id))),

  create: sessionProcedure
    .meta({ rest: { at: 'POST /api/workspaces', summary: 'Create a workspace', answer: 'created' } })
    .input(workspaceCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) =>
      toWorkspace(
        await createWorkspace(ctx.db, {
          name: input.name,
          description: input.description || null,
          slug: input.slug ?? null,
          ownerId: ctx.principal.userId,
          now: ctx.deps.clock(),
        }),
      ),
    ),

  update: memberProcedure('admin')
    .meta({ rest: { at: 'PUT /api/workspaces/{id}', summary: 'Update a workspace' } })
    .input(workspaceUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const found = await getWorkspace(ctx, input.id);
      const [updated] = await ctx.db
        .update(workspaces)
        .set({
          ...(input.name !== undefined && { name: input.name }),
          ...(input.description !== undefined && { description: input.description || null }),
          updatedAt: ctx.deps.clock(),
        })
        .where(and(eq(workspaces.id, found.id), isNull(workspaces.deletedAt)))
        .returning();
      if (!updated) throw notFound('Workspace');
      await recordEvent(ctx, {
        workspaceId: updated.id,
        type: 'workspace_updated',
        description: `Workspace "${updated.name}" was updated`,
      });
      return toWorkspace(updated);
    }),

  delete: memberProcedure('owner')
    .meta({ rest: { at: 'DELETE /api/workspaces/{id}', summary: 'Delete a workspace' } })
    .input(workspaceRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const found = await getWorkspace(ctx, input.id);
      await recordEvent(ctx, {
        workspaceId: found.id,
        type: 'workspace_deleted',
        description: `Workspace "${found.name}" was deleted`,
      });
      await hideWorkspace(ctx, found.id);
      return toWorkspace(found);
    }),

  restore: memberProcedure('owner')
    .input(workspaceRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const restored = await restoreWorkspace(ctx, input.id);
      await recordEvent(ctx, {
        workspaceId: restored.id,
        type: 'workspace_restored',
        description: `Workspace "${restored.name}" was restored`,
      });
      return toWorkspace(restored);
    }),
});
