import type { ShownDocument } from '#server/indexes/indexes.ts';
import {
  type MergedSearchAnswer,
  type MultiSearchAnswer,
  multiSearchInput,
  type SearchMode,
  searchInput,
  similarInput,
} from '#shared/search.ts';
import { searchEach, searchMerged } from '../multi-search.ts';
import { getActiveCollection } from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

const searchProcedure = (mode: SearchMode) =>
  keyProcedure('read')
    .input(searchInput)
    .query(async ({ ctx, input: { collection, ...parameters } }) =>
      ctx.deps.indexes.search(
        await getActiveCollection(ctx, collection),
        { ...parameters, mode },
        ctx.request.signal,
      ),
    );

export const searchRouter = router({
  keyword: searchProcedure('keyword'),
  vector: searchProcedure('vector'),
  hybrid: searchProcedure('hybrid'),

  similar: keyProcedure('read')
    .input(similarInput)
    .query(async ({ ctx, input: { collection, ...search } }) =>
      ctx.deps.indexes.similar(await getActiveCollection(ctx, collection), search, ctx.request.signal),
    ),

  multi: keyProcedure('read')
    .input(multiSearchInput)
    .query(
      ({
        ctx,
        input: { searches, merge },
      }): Promise<MultiSearchAnswer<ShownDocument> | MergedSearchAnswer<ShownDocument>> =>
        merge ? searchMerged(ctx, searches, merge) : searchEach(ctx, searches),
    ),
});
