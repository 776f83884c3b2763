import { readAnalytics, selectQueries, toQueryFigures } from '#server/search-log/read-analytics.ts';
import { dayOf } from '#server/search-log/search-log.ts';
import {
  type Analytics,
  analyticsInput,
  analyticsShape,
  eventShape,
  searchEvent,
} from '#shared/analytics.ts';
import { limits } from '#shared/limits.ts';
import { getActiveCollection } from '../known-collections.ts';
import { offsetOf } from '../read-page.ts';
import { type CallerContext, getCollection } from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

const dayMs = 24 * 60 * 60_000;

export const analyticsRouter = router({
  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/analytics',
        summary: 'What is searched for in a collection, and what comes of it',
        answer: 'page',
        output: analyticsShape,
      },
    })
    .input(analyticsInput)
    .query(async ({ ctx, input: { collection, days, kind, mode, ...page } }): Promise<Analytics> => {
      const offset = offsetOf(page, 'ask for fewer days');
      const { id: collectionId } = await getCollection(ctx, collection);
      const today = ctx.deps.clock();
      const from = dayOf(new Date(today.getTime() - (days - 1) * dayMs));
      const period = { collectionId, from, to: dayOf(today) };
      const list = selectQueries(ctx.db, { ...period, kind, mode, searchesMin: searchesMinFor(ctx) });
      const figures = await readAnalytics(ctx.db, period);
      // As a part of another query first: the list itself is that of the page afterwards.
      if (ctx.noteTotal) ctx.noteTotal(await ctx.db.$count(list.as('list')), false);
      const queries = await list.limit(page.per_page).offset(offset);
      return { ...figures, queries: queries.map(toQueryFigures) };
    }),

  recordEvent: keyProcedure('read')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/events',
        summary: 'Tell of a click or a conversion that followed a search',
        example: {
          collection: 'films',
          type: 'click',
          query_id: 'AAHIlp8Y1jvhCtXLmvgJ4SgbqeJxsuBttyH',
          id: 'Blade_Runner|1982',
          position: 1,
        },
        output: eventShape,
      },
    })
    .input(searchEvent)
    .mutation(async ({ ctx, input: { collection, type, query_id: queryId, id, position = null } }) => {
      const found = await getActiveCollection(ctx, collection);
      ctx.deps.searchLog.noteEvent(found, { type, queryId, documentId: id, position });
      return { ok: true as const };
    }),
});

/** A key that only reads may be anybody's, in a page: it is told what is suggested to anybody. */
function searchesMinFor({ principal }: Pick<CallerContext, 'principal'>): number {
  const isPublic = principal.kind === 'key' && !principal.permissions.includes('write');
  return isPublic ? limits.suggestedSearchesMin : 0;
}
