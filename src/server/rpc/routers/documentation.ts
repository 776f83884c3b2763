import { callerName } from '#server/auth/known/known-callers.ts';
import { articlesInput } from '#shared/documentation.ts';
import { router, sessionProcedure } from '../trpc.ts';

/** The search over the articles of the documentation; for whoever is signed in. */
export const documentationRouter = router({
  search: sessionProcedure.input(articlesInput).query(({ ctx, input }) =>
    ctx.deps.articleSearch.search(input.query, {
      caller: callerName(ctx.principal),
      signal: ctx.request.signal,
    }),
  ),
});
