import { and, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { invitations } from '#server/db/schema/invitations.ts';
import { invitationLetter } from '#server/workspaces/invitations/invitation-letter.ts';
import { invitationUrl } from '#server/workspaces/invitations/invitation-link.ts';
import {
  type InvitationRow,
  isPending,
  selectInvitations,
  stateOf,
} from '#server/workspaces/invitations/select-invitations.ts';
import {
  acceptedInvitationShape,
  type Invitation,
  type InvitationLink,
  invitationCreate,
  invitationLinkShape,
  invitationList,
  invitationRef,
  invitationShape,
  invitationToken,
  type NewInvitation,
  newInvitationShape,
} from '#shared/invitations.ts';
import { workspaceShape } from '#shared/workspaces.ts';
import { acceptInvitation, getInvitationLink } from '../accept-invitation.ts';
import { getPendingInvitation } from '../get-invitation.ts';
import { invite } from '../invite.ts';
import { getMember, lockMembership } from '../lock-membership.ts';
import { readPage } from '../read-page.ts';
import { recordMembership } from '../record-act.ts';
import { assertRole, getWorkspace } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import {
  inDeletion,
  inTransaction,
  memberProcedure,
  publicProcedure,
  router,
  sessionProcedure,
} from '../trpc.ts';

function toInvitation(row: InvitationRow, now: Date): Invitation {
  return toEntity(invitationShape, { ...row, invitedBy: row.inviterName, state: stateOf(row, now) });
}

const targetOf = ({ id, email }: InvitationRow) => ({
  kind: 'invitation' as const,
  id,
  name: email ?? 'by link',
});

/** Links that make whoever opens them a member. */
export const invitationsRouter = router({
  list: memberProcedure('admin')
    .meta({
      rest: {
        at: 'GET /api/workspaces/{id:workspaceId}/invitations',
        summary: 'List the invitations to a workspace that were neither accepted nor revoked',
        answer: 'page',
        output: z.array(invitationShape),
      },
    })
    .input(invitationList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const rows = (narrow?: SQL) =>
        selectInvitations(ctx.db, and(eq(invitations.workspaceId, id), isPending, narrow));
      const page = await readPage(ctx, input, { id: invitations.id, rows });
      return page.map((row) => toInvitation(row, ctx.deps.clock()));
    }),

  create: memberProcedure('admin')
    .meta({
      act: 'Member invited',
      rest: {
        at: 'POST /api/workspaces/{id:workspaceId}/invitations',
        summary: 'Invite somebody to a workspace by a link',
        description:
          'The link is in this answer alone. It is good once, and for the role given, which may not be above your own. With an `email` the link is mailed there, where the server sends mail, and only an account with this address can accept it.',
        example: { workspaceId: 1, role: 'viewer', email: 'ada@example.org' },
        answer: 'created',
        output: newInvitationShape,
      },
    })
    .input(invitationCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { workspace, role: own } = await lockMembership(ctx, input.workspaceId);
      assertRole(own, input.role);
      const { row, token } = await invite(ctx, { ...input, email: input.email ?? null });
      const { role, email, expiresAt, inviterName: inviter } = row;
      await recordMembership(ctx, 'user_invited', {
        workspaceId: workspace.id,
        name: email,
        target: targetOf(row),
        after: { role, email },
      });
      const url = invitationUrl(ctx.deps.settings, token);
      const made: NewInvitation = { ...toInvitation(row, ctx.deps.clock()), token, url, letter: 'off' };
      const { mailer } = ctx.deps;
      if (mailer === null || email === null || inviter === null) return made;
      // The invitation stands whatever becomes of the letter: the answer, which goes out behind this, has the link and says so.
      ctx.afterCommit(async () => {
        made.letter = 'failed';
        await mailer(
          invitationLetter({ to: email, inviter, workspace: workspace.name, role, url, expiresAt }),
        );
        made.letter = 'sent';
      });
      return made;
    }),

  delete: memberProcedure('admin')
    .meta({
      act: 'Invitation revoked',
      rest: {
        at: 'DELETE /api/invitations/{id}',
        summary: 'Revoke an invitation',
        output: invitationShape,
      },
    })
    .input(invitationRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const { workspaceId } = await getPendingInvitation(ctx, input.id);
      await lockMembership(ctx, workspaceId);
      // Somebody may have accepted it before it was this one's turn.
      const row = await getPendingInvitation(ctx, input.id);
      const revokedAt = ctx.deps.clock();
      await ctx.db.update(invitations).set({ revokedAt }).where(eq(invitations.id, row.id));
      const { role, email } = row;
      ctx.audit({ workspaceId, target: targetOf(row), before: { role, email } });
      return toInvitation({ ...row, revokedAt }, revokedAt);
    }),

  /** By POST over REST too: the token must stand in no address. */
  link: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/invitations/link',
        summary: 'Who invites to which workspace, by the link’s token',
        description: 'Of one that has ended no more than why.',
        example: { token: 'the-end-of-the-link' },
        output: invitationLinkShape,
      },
    })
    .input(invitationToken)
    .query(async ({ ctx, input }): Promise<InvitationLink> => {
      const found = await ctx.deps.auth.tryLink(ctx.request, () => getInvitationLink(ctx, input.token));
      const { row, workspace } = found;
      const state = stateOf(row, ctx.deps.clock());
      const { role } = row;
      const expiresAt = row.expiresAt.toISOString();
      if (state !== 'open') return { state, role, expiresAt, workspace: null, invitedBy: null, email: null };
      const { id, name } = workspace;
      const { inviterName: invitedBy, email } = row;
      return { state, role, expiresAt, workspace: { id, name }, invitedBy, email };
    }),

  accept: sessionProcedure
    .meta({
      act: 'Invitation accepted',
      rest: {
        at: 'POST /api/invitations/accept',
        summary: 'Become a member of a workspace, by the link’s token',
        example: { token: 'the-end-of-the-link' },
        output: acceptedInvitationShape,
      },
    })
    .input(invitationToken)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { row, workspace } = await acceptInvitation(ctx, input.token);
      const { role } = row;
      const { username: name } = await getMember(ctx, {
        workspaceId: workspace.id,
        userId: ctx.principal.userId,
      });
      await recordMembership(ctx, 'user_added', {
        workspaceId: workspace.id,
        name,
        target: targetOf(row),
        after: { role },
      });
      return { workspace: toEntity(workspaceShape, workspace), role };
    }),
});
