import { checkRule } from '#server/indexes/rules/check-rule.ts';
import type { ShownAnswer } from '#server/indexes/search/search-answer.ts';
import type { ShownMergedHit } from '#server/indexes/search/search-hit.ts';
import { bodyLimits } from '#server/wire/body-limits.ts';
import { nearestSentencesInput } from '#shared/nearest-sentences.ts';
import {
  type MergedSearchAnswer,
  type MultiSearchAnswer,
  multiSearchInput,
  type SearchMode,
  searchInput,
  similarInput,
} from '#shared/search.ts';
import { multiSearchShape, searchAnswerShape, searchOutput } from '#shared/search-answers.ts';
import { searchPreviewInput } from '#shared/search-preview.ts';
import { explainAnswerShape, explainInput } from '#shared/standing.ts';
import { suggestInput, suggestionsShape } from '#shared/suggestions.ts';
import { getActiveCollection, getWritableCollection } from '../known-collections.ts';
import { searchEach, searchMerged } from '../multi-search.ts';
import { noteSearch } from '../note-search.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { presentFields } from '../present-fields.ts';
import type { RestAddress, RestLine } from '../procedure-meta.ts';
import { keyProcedure, router } from '../trpc.ts';

/** How a mode of searching is told and shown. */
type SearchLine = Pick<RestLine, 'summary' | 'description' | 'example' | 'exampleFields'>;

const searchLines = {
  keyword: {
    summary: 'Search by keywords',
    description: 'Words, prefixes, typos and synonyms, ranked by BM25.',
    example: {
      query_by: 'title,extract',
      filter_by: 'year:>1980',
      sort_by: '_score:desc,year:desc',
      facet_by: 'genres',
      per_page: 10,
    },
    exampleFields: { GET: ['query', 'query_by', 'per_page'] },
  },
  vector: {
    summary: 'Search by meaning',
    description: 'The nearest neighbours of the query, whatever words they use.',
    example: { k: 10, vector_query: { k: 10 }, filter_by: 'year:>1980' },
    exampleFields: { GET: ['query', 'k'], POST: ['query', 'vector_query', 'filter_by'] },
  },
  hybrid: {
    summary: 'Search by keywords and meaning',
    description: 'Alpha is how much meaning counts: 0 for words alone, 1 for meaning alone.',
    example: { vector_query: { k: 10 }, filter_by: 'year:>1980', alpha: 0.5, k: 10 },
    exampleFields: { GET: ['query', 'alpha', 'k'] },
  },
} satisfies Record<SearchMode, SearchLine>;

const searchProcedure = (mode: SearchMode, path: string) =>
  keyProcedure('read')
    .meta({
      rest: {
        at: eitherWay(path),
        ...searchLines[mode],
        example: { collection: 'films', query: 'robots learning to love', ...searchLines[mode].example },
        playground: 'Search',
        bodyLimits: bodyLimits.search,
        output: searchOutput,
      },
    })
    .input(presentFields(searchInput))
    .query(async ({ ctx, input: { collection: reference, enable_analytics, ...parameters } }) => {
      const collection = await getActiveCollection(ctx, reference);
      const { answerBytesMax, signal } = ctx.request;
      const search = { ...parameters, mode, answerBytesMax };
      const answer = await ctx.deps.indexes.search(collection, search, signal);
      const { query, q, page, offset, cursor } = parameters;
      const asked = { mode, query, q, page, offset, cursor, enable_analytics };
      return Object.assign(answer, noteSearch(ctx, collection, asked, answer));
    });

/** A search takes its parameters in the query string or, where they are long, in a body. */
function eitherWay(path: string): RestAddress[] {
  return [
    `GET /api/collections/{name:collection}/${path}`,
    `POST /api/collections/{name:collection}/${path}`,
  ];
}

export const searchRouter = router({
  keyword: searchProcedure('keyword', 'search'),
  vector: searchProcedure('vector', 'vector-search'),
  hybrid: searchProcedure('hybrid', 'hybrid-search'),

  /** A search as if rules were saved that are not; it does not count as a search of anybody. */
  preview: keyProcedure('read')
    .input(searchPreviewInput)
    .query(async ({ ctx, input: { collection, draft, at, ...search } }) => {
      for (const { rule } of draft.overrides?.put ?? []) checkRule(rule);
      const { answerBytesMax, signal } = ctx.request;
      const ask = await ctx.deps.indexes.drafted(await getActiveCollection(ctx, collection), {
        draft,
        at: at === undefined ? undefined : new Date(at),
      });
      return ask({ ...search, answerBytesMax }, signal);
    }),

  similar: keyProcedure('read')
    .meta({
      rest: {
        at: eitherWay('similar'),
        summary: 'Find documents like one',
        description: 'The nearest neighbours of a document, itself left out.',
        example: { collection: 'films', id: 'Blade_Runner|1982', k: 10 },
        playground: 'Search',
        bodyLimits: bodyLimits.search,
        output: searchAnswerShape,
      },
    })
    .input(similarInput)
    .query(async ({ ctx, input: { collection, ...search } }) =>
      ctx.deps.indexes.similar(
        await getActiveCollection(ctx, collection),
        { ...search, answerBytesMax: ctx.request.answerBytesMax },
        ctx.request.signal,
      ),
    ),

  explain: keyProcedure('read')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/explain',
        summary: 'Where a document stands in a search, or what keeps it out',
        example: {
          collection: 'films',
          id: 'Blade_Runner|1982',
          query: 'science fiction',
          filter_by: 'year:<1980',
        },
        bodyLimits: bodyLimits.search,
        output: explainAnswerShape,
      },
    })
    .input(presentFields(explainInput))
    .query(async ({ ctx, input: { collection, ...search } }) =>
      ctx.deps.indexes.explain(await getActiveCollection(ctx, collection), search, ctx.request.signal),
    ),

  suggest: keyProcedure('read')
    .meta({
      rest: {
        at: eitherWay('suggest'),
        summary: 'Complete what is typed, or tell what many search for',
        example: { collection: 'films', query: 'rob' },
        bodyLimits: bodyLimits.search,
        output: suggestionsShape,
      },
    })
    .input(suggestInput)
    .query(async ({ ctx, input: { collection, query, q, limit } }) => {
      const typed = { q: query ?? q ?? '', limit };
      return ctx.deps.indexes.suggest(await getActiveCollection(ctx, collection), typed, ctx.request.signal);
    }),

  /** Of documents that were found, the sentence whose meaning is nearest to the words: what of them to show. */
  sentences: keyProcedure('read')
    .input(nearestSentencesInput)
    .query(async ({ ctx, input: { collection: reference, ...asked } }) => {
      const collection = await getWritableCollection(ctx, reference);
      const { signal } = ctx.request;
      return await oneAtATime(ctx, ({ add }) =>
        ctx.deps.chat.nearestSentences({ collection, ...asked }, { signal, hold: add }),
      );
    }),

  multi: keyProcedure('read')
    .meta({
      rest: {
        at: 'POST /api/multi-search',
        summary: 'Several searches in one request',
        description:
          'Of one collection or several. One that fails is an error in its place; the others answer.',
        example: {
          searches: [
            { collection: 'films', query: 'robot', query_by: 'title', filter_by: 'year:>1980' },
            { collection: 'films', query: 'time travel', mode: 'hybrid' },
          ],
        },
        playground: 'Search',
        bodyLimits: bodyLimits.multiSearch,
        output: multiSearchShape,
      },
    })
    .input(multiSearchInput)
    .query(
      ({
        ctx,
        input: { searches, merge },
      }): Promise<MultiSearchAnswer<ShownAnswer> | MergedSearchAnswer<ShownMergedHit>> =>
        merge ? searchMerged(ctx, searches, merge) : searchEach(ctx, searches),
    ),
});
