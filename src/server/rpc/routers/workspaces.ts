import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { assertWorkspaceRoom } from '#server/workspaces/assert-workspace-room.ts';
import { createWorkspace } from '#server/workspaces/create-workspace.ts';
import {
  type Workspace,
  workspaceCreate,
  workspaceList,
  workspaceRef,
  workspaceShape,
  workspaceUpdate,
} from '#shared/workspaces.ts';
import { hideWorkspace } from '../deletion/hide.ts';
import { restoreWorkspace } from '../deletion/restore-workspace.ts';
import { readPage } from '../read-page.ts';
import { changesOf, recordAct } from '../record-act.ts';
import { getWorkspace, type WorkspaceRow } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router, sessionProcedure } from '../trpc.ts';

const toWorkspace = (row: WorkspaceRow): Workspace => toEntity(workspaceShape, row);

export const workspacesRouter = router({
  list: sessionProcedure
    .meta({
      rest: {
        at: 'GET /api/workspaces',
        summary: 'List your workspaces',
        answer: 'page',
        output: z.array(workspaceShape),
      },
    })
    .input(workspaceList.prefault({}))
    .query(async ({ ctx, input }) => {
      const rows = (narrow?: SQL) =>
        ctx.db
          .select({ workspace: workspaces })
          .from(workspaces)
          .innerJoin(members, eq(members.workspaceId, workspaces.id))
          .where(and(eq(members.userId, ctx.principal.userId), isNull(workspaces.deletedAt), narrow))
          .orderBy(workspaces.id);
      const page = await readPage(ctx, input, { id: workspaces.id, rows });
      return page.map(({ workspace }) => toWorkspace(workspace));
    }),

  get: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/workspaces/{id}', summary: 'Get a workspace', output: workspaceShape } })
    .input(workspaceRef)
    .query(async ({ ctx, input }) => toWorkspace(await getWorkspace(ctx, input.id))),

  create: sessionProcedure
    .meta({
      rest: {
        at: 'POST /api/workspaces',
        summary: 'Create a workspace',
        example: { name: 'Research' },
        answer: 'created',
        output: workspaceShape,
      },
    })
    .input(workspaceCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const by = { ownerId: ctx.principal.userId, now: ctx.deps.clock() };
      const created = await createWorkspace(ctx.db, input, by);
      await assertWorkspaceRoom(ctx.db, created.id, ctx.deps.settings.workspacesPerAccount);
      const { id, name, description, slug } = created;
      ctx.audit({ workspaceId: id, target: { kind: 'workspace', id, name }, after: { description, slug } });
      return toWorkspace(created);
    }),

  update: memberProcedure('admin')
    .meta({
      rest: {
        at: 'PUT /api/workspaces/{id}',
        summary: 'Update a workspace',
        example: { id: 1, name: 'Research', description: 'What we read' },
        output: workspaceShape,
      },
    })
    .input(workspaceUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, ...changes } }) => {
      const found = await getWorkspace(ctx, id);
      const [updated] = await ctx.db
        .update(workspaces)
        .set({ ...changes, updatedAt: ctx.deps.clock() })
        .where(and(eq(workspaces.id, found.id), isNull(workspaces.deletedAt)))
        .returning();
      if (!updated) throw notFound('Workspace');
      const { name } = updated;
      await recordAct(ctx, 'workspace_updated', {
        workspaceId: id,
        id,
        name,
        ...changesOf(changes, found, updated),
      });
      return toWorkspace(updated);
    }),

  delete: memberProcedure('owner')
    .meta({
      rest: { at: 'DELETE /api/workspaces/{id}', summary: 'Delete a workspace', output: workspaceShape },
    })
    .input(workspaceRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input: { id } }) => {
      const found = await getWorkspace(ctx, id);
      await recordAct(ctx, 'workspace_deleted', { workspaceId: id, id, name: found.name });
      await hideWorkspace(ctx, id);
      return toWorkspace(found);
    }),

  restore: memberProcedure('owner')
    .input(workspaceRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id } }) => {
      const restored = await restoreWorkspace(ctx, id);
      await assertWorkspaceRoom(ctx.db, id, ctx.deps.settings.workspacesPerAccount);
      await recordAct(ctx, 'workspace_restored', { workspaceId: id, id, name: restored.name });
      return toWorkspace(restored);
    }),
});
