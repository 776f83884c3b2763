import { and, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { users } from '#server/db/schema/accounts.ts';
import { members } from '#server/db/schema/workspaces.ts';
import { type Member, memberList, memberRef, memberShape, memberUpdate } from '#shared/members.ts';
import { assertOwnerStays, getMember, lockMembership, type MemberRef } from '../lock-membership.ts';
import { readPage } from '../read-page.ts';
import { recordMembership } from '../record-act.ts';
import { assertRole, getWorkspace, type MemberContext, type Writing } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

function selectMembers({ db }: Pick<MemberContext, 'db'>, narrow: SQL | undefined) {
  const { id, username, firstName, lastName, email } = users;
  const { role, createdAt } = members;
  return db
    .select({ id, username, firstName, lastName, email, role, createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(narrow)
    .orderBy(createdAt, id);
}

const toMember = (row: MemberRow): Member => toEntity(memberShape, row);

function isMember({ workspaceId, userId }: MemberRef) {
  return and(eq(members.workspaceId, workspaceId), eq(members.userId, userId));
}

/** With the role before. @throws AppError NOT_FOUND, FORBIDDEN: who is an owner is changed by owners alone */
async function getChangeable(ctx: Writing<MemberContext>, ref: MemberRef) {
  const { role: own } = await lockMembership(ctx, ref.workspaceId);
  const member = await getMember(ctx, ref);
  assertRole(own, member.role);
  return { own, ...member };
}

/** Who is in a workspace, as what. */
export const membersRouter = router({
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/workspaces/{id:workspaceId}/members',
        summary: 'List the members of a workspace',
        answer: 'page',
        output: z.array(memberShape),
      },
    })
    .input(memberList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) => selectMembers(ctx, and(eq(members.workspaceId, id), narrow));
      return (await readPage(ctx, input, { id: users.id, rows })).map(toMember);
    }),

  update: memberProcedure('admin')
    .meta({
      act: 'Role given',
      rest: {
        at: 'PUT /api/workspaces/{id:workspaceId}/members/{userId}',
        summary: 'Give a member another role',
        description: 'Owners are made, and made something else, by owners alone. A workspace keeps an owner.',
        example: { workspaceId: 1, userId: 2, role: 'editor' },
        output: memberShape,
      },
    })
    .input(memberUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { role, ...ref } }) => {
      const { own, ...member } = await getChangeable(ctx, ref);
      assertRole(own, role);
      if (member.role === 'owner' && role !== 'owner') await assertOwnerStays(ctx, ref);
      const roleSince = member.role === role ? {} : { roleSince: ctx.deps.clock() };
      await ctx.db
        .update(members)
        .set({ role, ...roleSince })
        .where(isMember(ref));
      await recordMembership(ctx, 'user_updated', {
        workspaceId: ref.workspaceId,
        name: member.username,
        target: { kind: 'account', id: ref.userId, name: member.username },
        before: { role: member.role },
        after: { role },
      });
      const [updated] = await selectMembers(ctx, isMember(ref));
      if (!updated) throw new Error('the member that was updated is not there');
      return toMember(updated);
    }),

  remove: memberProcedure('admin')
    .meta({
      act: 'Member removed',
      rest: {
        at: 'DELETE /api/workspaces/{id:workspaceId}/members/{userId}',
        summary: 'Remove a member from a workspace',
        description:
          'It sees nothing of the workspace from then on. What it made stays, API keys too: they are the project’s. Invitations that it made are not good any more.',
        output: memberShape,
      },
    })
    .input(memberRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input: ref }) => {
      const member = await getChangeable(ctx, ref);
      if (member.role === 'owner') await assertOwnerStays(ctx, ref);
      const [found] = await selectMembers(ctx, isMember(ref));
      if (!found) throw new Error('the member to remove is not there');
      await ctx.db.delete(members).where(isMember(ref));
      await recordMembership(ctx, 'user_removed', {
        workspaceId: ref.workspaceId,
        name: member.username,
        target: { kind: 'account', id: ref.userId, name: member.username },
        before: { role: member.role },
      });
      return toMember(found);
    }),
});
