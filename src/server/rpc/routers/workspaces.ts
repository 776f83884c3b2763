import { and, eq, getTableColumns, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { members, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { assertWorkspaceRoom } from '#server/workspaces/assert-workspace-room.ts';
import { createWorkspace } from '#server/workspaces/create-workspace.ts';
import { isSoleOwner, selectMemberships } from '#server/workspaces/membership.ts';
import {
  membershipShape,
  ownWorkspaceShape,
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
import { getWorkspace, type MemberContext, type WorkspaceRow } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router, sessionProcedure } from '../trpc.ts';

const toWorkspace = (row: WorkspaceRow): Workspace => toEntity(workspaceShape, row);

const onlyOwner = 'You are the only owner of this workspace: make somebody else an owner, or delete it';

async function getMembership({ db, principal: { userId } }: MemberContext, workspaceId: number) {
  const [membership] = await selectMemberships(db, { userId, workspaceId });
  if (!membership) throw notFound('Workspace');
  return membership;
}

export const workspacesRouter = router({
  list: sessionProcedure
    .meta({
      rest: {
        at: 'GET /api/workspaces',
        summary: 'List your workspaces',
        answer: 'page',
        output: z.array(ownWorkspaceShape),
      },
    })
    .input(workspaceList.prefault({}))
    .query(async ({ ctx, input }) => {
      const rows = (narrow?: SQL) =>
        ctx.db
          .select({ ...getTableColumns(workspaces), role: members.role })
          .from(workspaces)
          .innerJoin(members, eq(members.workspaceId, workspaces.id))
          .where(and(eq(members.userId, ctx.principal.userId), isNull(workspaces.deletedAt), narrow))
          .orderBy(workspaces.id);
      const page = await readPage(ctx, input, { id: workspaces.id, rows });
      return page.map((row) => toEntity(ownWorkspaceShape, row));
    }),

  get: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/workspaces/{id}', summary: 'Get a workspace', output: workspaceShape } })
    .input(workspaceRef)
    .query(async ({ ctx, input }) => toWorkspace(await getWorkspace(ctx, input.id))),

  create: sessionProcedure
    .meta({
      act: 'Workspace created',
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
      act: 'Workspace updated',
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

  membership: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/workspaces/{id}/membership',
        summary: 'Your role in a workspace, and how many members and owners it has',
        output: membershipShape,
      },
    })
    .input(workspaceRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.id);
      const { role, members: all, owners } = await getMembership(ctx, id);
      return { role, members: all, owners };
    }),

  leave: memberProcedure('viewer')
    .meta({
      act: 'Workspace left',
      rest: {
        at: 'DELETE /api/workspaces/{id}/membership',
        summary: 'Leave a workspace; its only owner cannot',
        output: workspaceShape,
      },
    })
    .input(workspaceRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      // Of two owners who leave at once, the second one is the only one.
      const found = await getWorkspace(ctx, input.id, 'no key update');
      const membership = await getMembership(ctx, found.id);
      if (isSoleOwner(membership)) throw new AppError('CONFLICT', onlyOwner);
      const own = and(eq(members.workspaceId, found.id), eq(members.userId, ctx.principal.userId));
      await ctx.db.delete(members).where(own);
      const { id, name } = found;
      const before = { role: membership.role };
      ctx.audit({ workspaceId: id, target: { kind: 'workspace', id, name }, before });
      return toWorkspace(found);
    }),

  delete: memberProcedure('owner')
    .meta({
      act: 'Workspace deleted',
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
    .meta({ act: 'Workspace restored' })
    .input(workspaceRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id } }) => {
      const restored = await restoreWorkspace(ctx, id);
      await assertWorkspaceRoom(ctx.db, id, ctx.deps.settings.workspacesPerAccount);
      await recordAct(ctx, 'workspace_restored', { workspaceId: id, id, name: restored.name });
      return toWorkspace(restored);
    }),
});
