import { selectClicked, toClicked } from '#server/search-log/clicked-documents.ts';
import { clickedInput, clickedShape, putClickedInput, putClickedShape } from '#shared/clicked-documents.ts';
import { limits } from '#shared/limits.ts';
import { assertRoomForJudgements, getToJudge, putJudgements } from './judgement-rows.ts';
import { offsetOf } from './read-page.ts';
import { ruleAct } from './rules.ts';
import { getCollection } from './scope.ts';
import { inTransaction, keyProcedure } from './trpc.ts';

/** What people chose, as judgements. A part of the router of judgements; who only reads is not told what others chose. */
export const clickedJudgements = {
  clicked: keyProcedure('write')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/judgements/clicked',
        summary: 'List documents that were clicked for a query and are not judged for it',
        answer: 'page',
        output: clickedShape,
      },
    })
    .input(clickedInput)
    .query(async ({ ctx, input: { collection, clicks_min: clicksMin, ...page } }) => {
      const offset = offsetOf(page);
      const { id: collectionId } = await getCollection(ctx, collection);
      const list = () => selectClicked(ctx.db, { collectionId, clicksMin });
      const rows = await list().limit(page.per_page).offset(offset);
      // A page behind the end has no row that tells how many there are.
      ctx.noteTotal?.(rows[0]?.total ?? (offset === 0 ? 0 : await ctx.db.$count(list().as('list'))), false);
      return { clicked: rows.map(toClicked) };
    }),

  putClicked: keyProcedure('write')
    .meta({
      act: 'Clicks taken as judgements',
      rest: {
        at: 'POST /api/collections/{name:collection}/judgements/clicked',
        summary:
          'Judge documents that were clicked for a query, and that nobody has judged for it, by their clicks',
        example: { collection: 'films', clicks_min: 3 },
        output: putClickedShape,
      },
    })
    .input(putClickedInput)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, clicks_min: clicksMin } }) => {
      const collection = await getToJudge(ctx, reference);
      const rows = await selectClicked(ctx.db, { collectionId: collection.id, clicksMin })
        // One more than there may be is refused below.
        .limit(limits.judgementsMax + 1);
      const given = rows.map(toClicked).map(({ query, document, grade }) => ({ query, document, grade }));
      await putJudgements(ctx.db, collection, { given, now: ctx.deps.clock(), by: ctx.principal });
      await assertRoomForJudgements(ctx.db, collection);
      ctx.audit(ruleAct(collection, { after: { judgements: given.length, clicksMin } }));
      return { judged: given.length };
    }),
};
