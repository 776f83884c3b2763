import { secondFactorChange, secondFactorStart, secondStep } from '#shared/second-factor.ts';
import { router, sessionProcedure } from '../trpc.ts';

/** The second factor of whoever is signed in. */
export const secondFactorRouter = router({
  get: sessionProcedure.query(({ ctx }) => ctx.deps.auth.secondFactor.state(ctx.principal)),

  start: sessionProcedure
    .input(secondFactorStart)
    .mutation(({ ctx, input }) =>
      ctx.deps.auth.secondFactor.start({ principal: ctx.principal, from: ctx.request }, input),
    ),

  confirm: sessionProcedure
    .input(secondStep)
    .mutation(({ ctx, input }) =>
      ctx.deps.auth.secondFactor.confirm({ principal: ctx.principal, from: ctx.request }, input),
    ),

  disable: sessionProcedure.input(secondFactorChange).mutation(async ({ ctx, input }) => {
    await ctx.deps.auth.secondFactor.disable({ principal: ctx.principal, from: ctx.request }, input);
    return { ok: true as const };
  }),

  renewCodes: sessionProcedure
    .input(secondFactorChange)
    .mutation(({ ctx, input }) =>
      ctx.deps.auth.secondFactor.renewCodes({ principal: ctx.principal, from: ctx.request }, input),
    ),
});
