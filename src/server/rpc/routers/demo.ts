import { addressGroup } from '#server/admission/address.ts';
import { demoInput } from '#shared/demo.ts';
import { publicProcedure, router } from '../trpc.ts';

/** The landing page's search over the built-in catalogue; anybody may call. */
export const demoRouter = router({
  products: publicProcedure.input(demoInput).query(({ ctx, input }) =>
    ctx.deps.demo.search(input.query, {
      address: addressGroup(ctx.request.address),
      request: ctx.request,
    }),
  ),
});
