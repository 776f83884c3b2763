import { eq, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import { bodyReading } from '#server/admission/request-memory.ts';
import { judgements } from '#server/db/schema/judgements.ts';
import { AppError, notFound } from '#server/errors.ts';
import { measureQueries } from '#server/indexes/relevance/measure-queries.ts';
import { collectionRef } from '#shared/collections.ts';
import { comparableModelsShape, compareInput, comparisonShape } from '#shared/comparisons.ts';
import { deletedShape, importSummaryShape } from '#shared/documents.ts';
import {
  judgedQueriesShape,
  judgedQueryList,
  judgementDelete,
  judgementList,
  judgementRow,
  judgementShape,
  judgementsShape,
  judgementWrite,
  measureAnswerShape,
  measureInput,
  measureList,
  measuresShape,
} from '#shared/judgements.ts';
import { limits } from '#shared/limits.ts';
import { clickedJudgements } from '../clicked-judgements.ts';
import {
  assertRoomForJudgements,
  getToJudge,
  inOrder,
  judgedByFor,
  judgedIn,
  putJudgements,
  readJudged,
  selectQueries,
  toJudgement,
} from '../judgement-rows.ts';
import { getActiveCollection, getWritableCollection } from '../known-collections.ts';
import { readPage } from '../read-page.ts';
import { compareRelevance } from '../relevance-comparison.ts';
import { addMeasure, readChanges, readMeasures, resultsOf, toMeasure } from '../relevance-measures.ts';
import { rowsInput } from '../rows-input.ts';
import { ruleAct } from '../rules.ts';
import { getCollection } from '../scope.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';
import { readUploaded } from '../uploaded-rows.ts';

type JudgementRow = z.output<typeof judgementRow>;
const uploaded = {
  called: 'judgements',
  most: limits.judgementsMax,
  schema: judgementRow,
  toThing: (row: JudgementRow) => row,
  keyOf: ({ query, document }: JudgementRow) => JSON.stringify([query, document]),
  idOf: ({ document }: JudgementRow) => document,
};

const { id, query, documentId, grade, judgedAt } = judgements;
const shown = { id, query, documentId, grade, judgedAt };

export const judgementsRouter = router({
  ...clickedJudgements,

  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/judgements',
        summary: 'List judgements: how well documents answer queries',
        answer: 'page',
        output: judgementsShape,
      },
    })
    .input(judgementList)
    .query(async ({ ctx, input }) => {
      const collection = await getCollection(ctx, input.collection);
      const select = (narrow?: SQL) =>
        ctx.db
          .select({ ...shown, judgedBy: judgedByFor(ctx.principal) })
          .from(judgements)
          .where(judgedIn(collection, input.query, narrow))
          .orderBy(...inOrder);
      const page = await readPage(ctx, input, { id: judgements.id, rows: select });
      return { judgements: page.map((row) => ({ ...toJudgement(row), judgedBy: row.judgedBy })) };
    }),

  queries: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/judgements/queries',
        summary: 'List the queries that are judged',
        answer: 'page',
        output: judgedQueriesShape,
      },
    })
    .input(judgedQueryList)
    .query(async ({ ctx, input: { collection, page, per_page } }) => {
      const list = selectQueries(ctx.db, await getCollection(ctx, collection));
      if (ctx.noteTotal) ctx.noteTotal(await ctx.db.$count(list.as('list')), false);
      return { queries: await list.limit(per_page).offset((page - 1) * per_page) };
    }),

  put: keyProcedure('write')
    .meta({
      act: 'Judgement saved',
      rest: {
        at: 'POST /api/collections/{name:collection}/judgements',
        summary: 'Judge how well a document answers a query, from 0 (not at all) to 3',
        example: {
          collection: 'films',
          query: 'robots learning to love',
          document: 'WALL-E|2008',
          grade: 2,
        },
        answer: 'created',
        output: judgementShape,
      },
    })
    .input(judgementWrite)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, ...given } }) => {
      const collection = await getToJudge(ctx, reference);
      const isIt = judgedIn(collection, given.query, eq(judgements.documentId, given.document));
      const [before] = await ctx.db.select(shown).from(judgements).where(isIt);
      const now = ctx.deps.clock();
      await putJudgements(ctx.db, collection, { given: [given], now, by: ctx.principal });
      await assertRoomForJudgements(ctx.db, collection);
      ctx.audit(ruleAct(collection, { before: before ? toJudgement(before) : null, after: given }));
      return { ...given, judgedAt: now.toISOString() };
    }),

  /** All good rows in one transaction, which begins when the upload has come. Yields a result a row. */
  import: keyProcedure('write')
    .meta({
      act: 'Judgements imported',
      rest: {
        at: 'POST /api/collections/{name:collection}/judgements/import',
        summary: 'Judge many documents: a JSON array or NDJSON',
        stream: 'import',
        output: importSummaryShape,
      },
    })
    .input(collectionRef.extend({ rows: rowsInput('judgements') }))
    .use(async ({ ctx, input, next }) => {
      await getCollection(ctx, input.collection);
      return next({
        ctx: { read: await readUploaded(input.rows({}), uploaded, bodyReading(ctx.held, ctx.requester)) },
      });
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const collection = await getToJudge(ctx, input.collection);
      const { things: given, results } = ctx.read;
      await putJudgements(ctx.db, collection, { given, now: ctx.deps.clock(), by: ctx.principal });
      await assertRoomForJudgements(ctx.db, collection);
      ctx.audit(ruleAct(collection, { after: { judgements: given.length } }));
      return inTurn(results);
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Judgement deleted',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/judgements',
        summary: 'Take back the judgement of a document, or all of a query',
        output: deletedShape,
      },
    })
    .input(judgementDelete)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const collection = await getToJudge(ctx, input.collection);
      const isDocument = input.document === undefined ? undefined : eq(judgements.documentId, input.document);
      const deleted = await ctx.db
        .delete(judgements)
        .where(judgedIn(collection, input.query, isDocument))
        .returning(shown);
      if (deleted.length === 0) throw notFound('Judgement');
      const [only] = deleted;
      const before =
        only && deleted.length === 1 ? toJudgement(only) : { query: input.query, judgements: deleted.length };
      ctx.audit(ruleAct(collection, { before }));
      return { deleted: deleted.length };
    }),

  measures: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/judgements/measures',
        summary: 'How well the judged queries found what is relevant, each time it was measured',
        output: measuresShape,
      },
    })
    .input(measureList)
    .query(async ({ ctx, input }) => {
      const collection = await getCollection(ctx, input.collection);
      const measures = await readMeasures(ctx.db, collection, { most: input.per_page });
      const [newest] = await readMeasures(ctx.db, collection, { most: 1, mode: input.mode });
      return {
        measures: measures.map(toMeasure),
        results: newest?.results ?? [],
        changes: newest ? await readChanges(ctx.db, collection, newest.measuredAt) : [],
      };
    }),

  /** The searches are over when the transaction begins. */
  measure: keyProcedure('write')
    .meta({
      act: 'Relevance measured',
      rest: {
        at: 'POST /api/collections/{name:collection}/judgements/measures',
        summary: 'Search for each judged query, and tell how well it found what is relevant',
        example: { collection: 'films', mode: 'hybrid', reason: 'with synonyms for robots' },
        answer: 'created',
        output: measureAnswerShape,
      },
    })
    .input(measureInput)
    .use(async ({ ctx, input: { collection: reference, mode }, next }) => {
      const collection = await getActiveCollection(ctx, reference);
      const measuredAt = ctx.deps.clock();
      const judged = await readJudged(ctx.db, collection);
      // Each search counts, as those of a multi-search do.
      await ctx.countAll(new Map([[collection.workspaceId, judged.length]]));
      await ctx.deps.record.assertWritable();
      const { signal } = ctx.request;
      const measured = await measureQueries(ctx.deps.indexes, { collection, mode, judged }, { signal });
      if (measured.length === 0)
        throw new AppError('UNPROCESSABLE', 'No query has a relevant document yet: judge some first');
      return next({ ctx: { measuredAt, measured } });
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, mode, reason = null } }) => {
      const collection = await getToJudge(ctx, reference);
      const { measured, measuredAt } = ctx;
      const [former] = await readMeasures(ctx.db, collection, { most: 1 });
      const changes = former ? await readChanges(ctx.db, collection, former.measuredAt) : [];
      // Another mode's figures say nothing of this one's.
      const [comparable] = await readMeasures(ctx.db, collection, { most: 1, mode });
      const results = resultsOf(measured, comparable?.results ?? null);
      const measure = await addMeasure(ctx.db, collection, { measuredAt, mode, reason, changes, results });
      const { queries, ndcg, hitRate, mrr } = measure;
      ctx.audit(ruleAct(collection, { after: { mode, queries, ndcg, hitRate, mrr } }));
      return { ...measure, results };
    }),

  /** As heavy as two measures, so it takes what they take; it writes nothing. */
  compare: keyProcedure('write')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/judgements/compare',
        summary: 'What a change of settings, synonyms, overrides or the model would do to the judged queries',
        description:
          'Searches for each of them as it is now and as if the draft were saved. Nothing is kept. ' +
          'Another model is compared among some documents of the collection, before and after: `among` says how many; their texts are embedded by it, by a service too.',
        example: {
          collection: 'films',
          mode: 'hybrid',
          draft: {
            settings: { query_by: ['title', 'extract'], query_by_weights: [3, 1], alpha: 0.6 },
            synonyms: { put: [{ id: 'robots', synonyms: ['robot', 'android'], root: null }] },
          },
        },
        output: comparisonShape,
      },
    })
    .input(compareInput)
    .query(async ({ ctx, input: { collection, ...asked } }) =>
      compareRelevance(ctx, await getWritableCollection(ctx, collection), asked),
    ),

  models: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/judgements/models',
        summary: 'List the models that a collection can be compared with, and how far a comparison is',
        output: comparableModelsShape,
      },
    })
    .input(collectionRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.comparableModels(await getCollection(ctx, input.collection)),
    ),
});

async function* inTurn<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}
