import type { SignedIn } from '#server/auth/visitor.ts';
import {
  doneShape,
  forgottenPassword,
  loginInput,
  passwordChange,
  passwordReset,
  passwordResetShape,
  registerInput,
  resetLinkRef,
  resetLinkShape,
  signedInShape,
  type User,
} from '#shared/accounts.ts';
import { type LoginAnswer, loginShape, secondStep } from '#shared/second-factor.ts';
import type { Context } from '../context.ts';
import { publicProcedure, router, sessionProcedure } from '../trpc.ts';

/** A sign-in always gets a new session; the one that came with the request ends, so that a planted cookie is worth nothing. */
async function begin(ctx: Context, { user, session, device }: SignedIn): Promise<{ user: User }> {
  if (ctx.principal?.kind === 'user') await ctx.deps.auth.logout(ctx.principal);
  ctx.cookies.setSession(session.cookieValue, session.expiresAt);
  ctx.cookies.setDevice(device);
  if (ctx.request.pendingLogin) ctx.cookies.clearPendingLogin();
  return { user };
}

export const authRouter = router({
  me: publicProcedure
    .meta({
      rest: { at: 'GET /api/auth/me', summary: 'Who is signed in', answer: 'user', output: signedInShape },
    })
    .query(async ({ ctx }) => ({
      user: ctx.principal?.kind === 'user' ? await ctx.deps.auth.user(ctx.principal) : null,
    })),

  login: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/login',
        summary: 'Sign in with email and password',
        example: { email: 'ada@example.org', password: 'correct horse battery staple' },
        output: loginShape,
      },
    })
    .input(loginInput)
    .mutation(async ({ ctx, input }): Promise<LoginAnswer> => {
      const shown = await ctx.deps.auth.login(input, ctx.request);
      if ('user' in shown) return await begin(ctx, shown);
      ctx.cookies.setPendingLogin(shown.pendingLogin.cookieValue, shown.pendingLogin.expiresAt);
      return { user: null, secondFactor: 'required' };
    }),

  secondStep: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/second-step',
        summary: 'Sign in with a code, after the password',
        example: { code: '123456' },
        output: signedInShape,
      },
    })
    .input(secondStep)
    .mutation(async ({ ctx, input }) => begin(ctx, await ctx.deps.auth.secondStep(input, ctx.request))),

  register: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/register',
        summary: 'Create an account and sign in',
        example: {
          email: 'ada@example.org',
          username: 'ada',
          password: 'correct horse battery staple',
          confirmPassword: 'correct horse battery staple',
        },
        answer: 'created',
        output: signedInShape,
      },
    })
    .input(registerInput)
    .mutation(async ({ ctx, input }) => begin(ctx, await ctx.deps.auth.register(input, ctx.request))),

  /** Also answers those who are not signed in: what they asked for is so. */
  logout: publicProcedure
    .meta({
      rest: { at: 'POST /api/auth/logout', summary: 'Sign out and end the session', output: doneShape },
    })
    .mutation(async ({ ctx }) => {
      if (ctx.principal?.kind === 'user') await ctx.deps.auth.logout(ctx.principal, ctx.request);
      ctx.cookies.clearSession();
      return { ok: true as const };
    }),

  changePassword: sessionProcedure
    .meta({
      rest: {
        at: 'PUT /api/auth/password',
        summary: 'Change your password and sign out everywhere else',
        example: {
          currentPassword: 'the one until now',
          password: 'correct horse battery staple',
          confirmPassword: 'correct horse battery staple',
        },
        output: doneShape,
      },
    })
    .input(passwordChange)
    .mutation(async ({ ctx, input }) => {
      await ctx.deps.auth.changePassword(ctx.principal, { input, from: ctx.request });
      return { ok: true as const };
    }),

  /** What the way in looks like on this server. */
  signInOptions: publicProcedure.query(({ ctx }) => ({ sendsMail: ctx.deps.auth.sendsMail })),

  /** The same answer at the same time, whether there is such an account or not. */
  forgotPassword: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/forgot-password',
        summary: 'Have a link mailed that sets a new password',
        example: { email: 'ada@example.org' },
        output: doneShape,
      },
    })
    .input(forgottenPassword)
    .mutation(({ ctx, input }) => {
      ctx.deps.auth.forgotPassword(input.email, ctx.request);
      return { ok: true as const };
    }),

  /** By POST over REST too: the token must stand in no address. */
  resetLink: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/reset-link',
        summary: 'Whose password a reset link sets, if it is good',
        example: { token: 'the-end-of-the-link' },
        output: resetLinkShape,
      },
    })
    .input(resetLinkRef)
    .query(({ ctx, input }) => ctx.deps.auth.resetLink(input.token, ctx.request)),

  resetPassword: publicProcedure
    .meta({
      rest: {
        at: 'POST /api/auth/reset-password',
        summary: 'Set a new password by a reset link',
        example: {
          token: 'the-end-of-the-link',
          password: 'correct horse battery staple',
          confirmPassword: 'correct horse battery staple',
        },
        output: passwordResetShape,
      },
    })
    .input(passwordReset)
    .mutation(async ({ ctx, input }) => {
      const { userId, email, device } = await ctx.deps.auth.resetPassword(input, ctx.request);
      ctx.cookies.setDevice(device);
      if (ctx.principal?.kind === 'user' && ctx.principal.userId === userId) ctx.cookies.clearSession();
      return { email };
    }),
});
