import { and, eq } from 'drizzle-orm';
import { calibrations } from '#server/db/schema/calibrations.ts';
import { notFound } from '#server/errors.ts';
import {
  calibrationDelete,
  calibrationFit,
  calibrationShape,
  calibrationsShape,
} from '#shared/calibrations.ts';
import { collectionRef } from '#shared/collections.ts';
import { deletedShape } from '#shared/documents.ts';
import { fittedUnder, putCalibration, readCalibrations } from '../calibration-rows.ts';
import { readJudged } from '../judgement-rows.ts';
import { getActiveCollection } from '../known-collections.ts';
import { getToRule, ruleAct } from '../rules.ts';
import { getCollection } from '../scope.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';

export const calibrationsRouter = router({
  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/calibration',
        summary: 'How the relevance of hits is told from their scores, by the mode of the search',
        output: calibrationsShape,
      },
    })
    .input(collectionRef)
    .query(async ({ ctx, input }) => {
      const collection = await getCollection(ctx, input.collection);
      return { calibrations: await readCalibrations(ctx.db, collection) };
    }),

  /** The searches are over when the transaction begins. */
  fit: keyProcedure('write')
    .meta({
      act: 'Relevance calibrated',
      rest: {
        at: 'POST /api/collections/{name:collection}/calibration',
        summary: 'Fit the relevance of hits, from 0 to 1, to what is judged',
        description:
          'Searches for each judged query as anybody would now. Hits of such searches have a `relevance` from then on, and `min_relevance` leaves out what has less.',
        example: { collection: 'films', mode: 'hybrid', unjudged: 'not_relevant' },
        answer: 'created',
        output: calibrationShape,
      },
    })
    .input(calibrationFit)
    .use(async ({ ctx, input: { collection: reference, mode, unjudged }, next }) => {
      const collection = await getActiveCollection(ctx, reference);
      const fittedAt = ctx.deps.clock();
      const under = await fittedUnder(ctx.db, await getCollection(ctx, reference));
      const judged = await readJudged(ctx.db, collection);
      // Each search counts, as those of a multi-search do.
      await ctx.countAll(new Map([[collection.workspaceId, judged.length]]));
      await ctx.deps.record.assertWritable();
      const calibrated = await ctx.deps.indexes.calibrate(
        collection,
        { mode, judged, unjudged },
        ctx.request.signal,
      );
      return next({ ctx: { fitted: { ...calibrated, ...under, fittedAt } } });
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, mode, unjudged } }) => {
      const collection = await getToRule(ctx, reference);
      const calibration = await putCalibration(ctx.db, collection, { ...ctx.fitted, mode, unjudged });
      const { queries, pairs, heldOut } = calibration;
      ctx.audit(ruleAct(collection, { after: { mode, unjudged, queries, pairs, ...heldOut } }));
      return calibration;
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Calibration removed',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/calibration',
        summary: 'Tell the relevance of hits no more, of one mode or of all',
        output: deletedShape,
      },
    })
    .input(calibrationDelete)
    .use(inDeletion)
    .mutation(async ({ ctx, input: { collection: reference, mode } }) => {
      const collection = await getToRule(ctx, reference);
      const isOfMode = mode === undefined ? undefined : eq(calibrations.mode, mode);
      const deleted = await ctx.db
        .delete(calibrations)
        .where(and(eq(calibrations.collectionId, collection.id), isOfMode))
        .returning({ mode: calibrations.mode });
      if (deleted.length === 0) throw notFound('Calibration');
      ctx.audit(ruleAct(collection, { before: { modes: deleted.map((row) => row.mode) } }));
      return { deleted: deleted.length };
    }),
});
