import { TRPCError } from '@trpc/server';
import {
  type MultiSearchAnswer,
  type MultiSearchResult,
  multiSearchInput,
  multiSearchItem,
  type SearchMode,
  searchInput,
  similarInput,
} from '#shared/search.ts';
import type { Context } from '../context.ts';
import { type CallerContext, findActiveCollection } from '../scope.ts';
import { keyProcedure, router, toAppError } from '../trpc.ts';

const searchProcedure = (mode: SearchMode) =>
  keyProcedure('read')
    .input(searchInput)
    .query(async ({ ctx, input: { collection, ...parameters } }) =>
      ctx.deps.indexes.search(
        await findActiveCollection(ctx, collection),
        { ...parameters, mode },
        ctx.request.signal,
      ),
    );

/** One search of several: whatever is wrong with it stays in its place. */
async function searchInPlace(
  ctx: CallerContext & Pick<Context, 'request'>,
  given: unknown,
): Promise<MultiSearchResult> {
  try {
    const parsed = multiSearchItem.safeParse(given);
    if (!parsed.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error });
    const { collection, ...search } = parsed.data;
    return await ctx.deps.indexes.search(
      await findActiveCollection(ctx, collection),
      search,
      ctx.request.signal,
    );
  } catch (error) {
    const { code, message, details } = toAppError(error);
    return { error: { code, message, ...(details && { details }) } };
  }
}

export const searchRouter = router({
  keyword: searchProcedure('keyword'),
  vector: searchProcedure('vector'),
  hybrid: searchProcedure('hybrid'),

  similar: keyProcedure('read')
    .input(similarInput)
    .query(async ({ ctx, input: { collection, ...search } }) =>
      ctx.deps.indexes.similar(await findActiveCollection(ctx, collection), search, ctx.request.signal),
    ),

  multi: keyProcedure('read')
    .input(multiSearchInput)
    .query(async ({ ctx, input }): Promise<MultiSearchAnswer> => {
      const results: MultiSearchResult[] = [];
      for (const search of input.searches) results.push(await searchInPlace(ctx, search));
      return { results };
    }),
});
