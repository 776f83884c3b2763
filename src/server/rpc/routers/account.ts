import { z } from 'zod';
import { accountActivityList, accountEventShape } from '#shared/account-activity.ts';
import {
  accountDelete,
  confirmedEmailShape,
  doneShape,
  emailLinkRef,
  type Profile,
  pendingEmailShape,
  profileShape,
  profileUpdate,
} from '#shared/accounts.ts';
import { readAccountActivity } from '../account-activity.ts';
import { deleteAccount } from '../deletion/delete-account.ts';
import { inDeletion, publicProcedure, router, sessionProcedure } from '../trpc.ts';

/** The account of whoever is signed in. */
export const accountRouter = router({
  update: sessionProcedure
    .meta({
      rest: {
        at: 'PUT /api/account',
        summary: 'Change your names, or your email by your password',
        description: 'Another email takes a `code` too where signing in does.',
        example: { firstName: 'Ada', lastName: 'Lovelace', username: 'ada' },
        output: profileShape,
      },
    })
    .input(profileUpdate)
    .mutation(async ({ ctx, input }): Promise<Profile> => {
      const asking = { principal: ctx.principal, from: ctx.request };
      const { user, pendingEmail, device } = await ctx.deps.auth.profile.update(asking, input);
      if (device !== null) ctx.cookies.setDevice(device);
      return { user, pendingEmail };
    }),

  delete: sessionProcedure
    .meta({
      rest: {
        at: 'POST /api/account/delete',
        summary: 'Delete your account, and the workspaces that nobody else is in',
        example: { password: 'correct horse battery staple' },
        output: doneShape,
      },
    })
    .input(accountDelete)
    // Before the transaction: hashing takes longer than a connection should be held.
    .use(async ({ ctx, input, next }) => {
      await ctx.deps.auth.secondFactor.prove({ principal: ctx.principal, from: ctx.request }, input);
      return next();
    })
    .use(inDeletion)
    .mutation(async ({ ctx }) => {
      const { username, workspaces } = await deleteAccount(ctx);
      const { userId: id } = ctx.principal;
      ctx.audit({
        workspaceId: null,
        actor: { kind: 'user', id, name: username },
        target: { kind: 'account', id, name: username },
        before: { workspaces },
      });
      ctx.afterCommit(ctx.cookies.clearSession);
      return { ok: true as const };
    }),

  /** Tries that failed are in it some seconds later. */
  activity: sessionProcedure
    .meta({
      rest: {
        at: 'GET /api/account/activity',
        summary: 'List sign-ins to your account, tries that failed, and changes of how one signs in',
        answer: 'page',
        output: z.array(accountEventShape),
      },
    })
    .input(accountActivityList.prefault({}))
    .query(({ ctx, input }) => readAccountActivity(ctx, input)),

  pendingEmail: sessionProcedure.query(({ ctx }) => ctx.deps.auth.profile.findPendingEmail(ctx.principal)),

  cancelEmail: sessionProcedure
    .meta({
      rest: {
        at: 'DELETE /api/account/pending-email',
        summary: 'Keep your email: the link that was sent to another one is not good any more',
        output: doneShape,
      },
    })
    .mutation(async ({ ctx }) => {
      await ctx.deps.auth.profile.cancelEmail({ principal: ctx.principal, from: ctx.request });
      return { ok: true as const };
    }),

  /** By POST over REST too: the token must stand in no address. */
  emailLink: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/account/email-link',
        summary: 'Which email a link confirms, if it is good',
        example: { token: 'the-end-of-the-link' },
        output: pendingEmailShape,
      },
    })
    .input(emailLinkRef)
    .query(({ ctx, input }) => ctx.deps.auth.profile.emailLink(input.token, ctx.request)),

  confirmEmail: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/account/confirm-email',
        summary: 'Make an email the account’s, by the link that was sent there',
        example: { token: 'the-end-of-the-link' },
        output: confirmedEmailShape,
      },
    })
    .input(emailLinkRef)
    .mutation(async ({ ctx, input }) => {
      const { email, device } = await ctx.deps.auth.profile.confirmEmail(input.token, ctx.request);
      ctx.cookies.setDevice(device);
      return { email };
    }),
});
