import { engineOf, engineShape } from '#shared/search-engines.ts';
import { router, sessionProcedure } from '../trpc.ts';

export const engineRouter = router({
  get: sessionProcedure
    .meta({
      rest: {
        at: 'GET /api/engine',
        summary: 'Which search engine it is, and what it does',
        output: engineShape,
      },
    })
    .query(({ ctx }) => engineOf(ctx.deps.settings.openSearch ? 'opensearch' : 'embedded')),
});
