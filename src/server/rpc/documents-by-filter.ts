import { bodyLimits } from '#server/wire/body-limits.ts';
import { deletedShape, documentDeleteMany, documentMergeMany, updatedShape } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import { auditBefore } from './act.ts';
import { actOn, reserveOf } from './document-changes.ts';
import { getActiveCollection, getWritableCollection } from './known-collections.ts';
import { stillAllowed } from './still-allowed.ts';
import { keyProcedure } from './trpc.ts';

/** What is done to all documents that match a filter. */
export const documentsByFilter = {
  deleteMany: keyProcedure('write')
    .meta({
      act: 'Documents deleted by a filter',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/documents',
        summary: 'Delete all documents that match a filter',
        example: { collection: 'films', filter_by: 'id:example' },
        output: deletedShape,
      },
    })
    .input(documentDeleteMany)
    .mutation(async ({ ctx, input }) => {
      const collection = await getActiveCollection(ctx, input.collection);
      const { filter_by } = input;
      const act = actOn('documents.deleteMany', collection, { filter_by });
      const change = {
        filterBy: filter_by,
        before: (count: number) => auditBefore(ctx, act, reserveOf(collection, count)),
        assertAllowed: stillAllowed(ctx, collection, input.collection),
      };
      const { signal } = ctx.request;
      const deleted = await ctx.deps.indexes.deleteByFilter(collection, change, signal);
      ctx.log.info('deletion by filter done', { deleted });
      return { deleted };
    }),

  mergeMany: keyProcedure('write')
    .meta({
      act: 'Documents changed by a filter',
      rest: {
        at: 'PATCH /api/collections/{name:collection}/documents',
        summary: 'Change some fields of all documents that match a filter',
        example: { collection: 'films', filter_by: 'id:example', document: { year: 1972 } },
        query: ['filter_by'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        output: updatedShape,
      },
    })
    .input(documentMergeMany)
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const { filter_by, document } = input;
      const fields = Object.keys(document).slice(0, limits.errorDetailsMax);
      const act = actOn('documents.mergeMany', collection, { filter_by, fields });
      const change = {
        filterBy: filter_by,
        before: () => auditBefore(ctx, act),
        assertAllowed: stillAllowed(ctx, collection, input.collection),
      };
      const { signal } = ctx.request;
      const updated = await ctx.deps.indexes.mergeByFilter(collection, change, document, signal);
      ctx.log.info('change by filter done', { updated });
      return { updated };
    }),
};
