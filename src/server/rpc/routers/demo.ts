import { addressGroup } from '#server/admission/address.ts';
import { demoComparisonInput, demoInput } from '#shared/demo.ts';
import type { Context } from '../context.ts';
import { publicProcedure, router } from '../trpc.ts';

/** The landing page's search over the built-in catalogue; anybody may call. */
export const demoRouter = router({
  products: publicProcedure
    .input(demoInput)
    .query(({ ctx, input }) => ctx.deps.demo.search(input.query, visitOf(ctx))),
  compare: publicProcedure
    .input(demoComparisonInput)
    .query(({ ctx, input }) => ctx.deps.demo.compare(input, visitOf(ctx))),
});

function visitOf({ request }: Context) {
  return { address: addressGroup(request.address), request };
}
