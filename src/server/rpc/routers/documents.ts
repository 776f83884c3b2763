import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { bodyLimits } from '#server/wire/body-limits.ts';
import { documentMapInput } from '#shared/document-map.ts';
import {
  deletedShape,
  documentDeleteMany,
  documentExport,
  documentGet,
  documentImport,
  documentList,
  documentMerge,
  documentMergeMany,
  documentPageShape,
  documentRef,
  documentReplace,
  documentShape,
  documentVersionShape,
  documentWrite,
  importKey,
  importSummaryShape,
  updatedShape,
} from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import { auditBefore, auditedBefore, entryOf, logAct } from '../act.ts';
import { actOn, reserveOf, withId } from '../document-changes.ts';
import { getActiveCollection, getKnownCollection, getWritableCollection } from '../known-collections.ts';
import { rowsInput } from '../rows-input.ts';
import { stillAllowed, whileAllowed } from '../still-allowed.ts';
import { sampleFor, toDocumentMap } from '../to-document-map.ts';
import { keyProcedure, router } from '../trpc.ts';

export const documentsRouter = router({
  write: keyProcedure('write')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/documents',
        summary: 'Add a document',
        example: { collection: 'films', document: { id: 'example', title: 'Solaris', year: 1972 } },
        query: ['action'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        answer: 'written',
        output: documentShape,
      },
    })
    .input(documentWrite)
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const { action, document } = input;
      const holdAnswer = ctx.held.answer.add;
      return ctx.deps.indexes.write(collection, { action, document, holdAnswer }, ctx.request.signal);
    }),

  /** Yields a result a row, each already durable; of a dry run, each as it would be. */
  import: keyProcedure('write')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/documents/import',
        summary: 'Add many documents: a JSON array, NDJSON, CSV or TSV, of any size',
        query: ['action', 'dry_run', 'delimiter', 'mapping'],
        stream: 'import',
        output: importSummaryShape,
      },
    })
    .input(documentImport.extend({ ...importKey.shape, rows: rowsInput('documents') }))
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const { action, delimiter, mapping, idempotency_key: key = null } = input;
      const { indexes } = ctx.deps;
      const { signal } = ctx.request;
      const reading = { delimiter, mapping };
      const assertAllowed = stillAllowed(ctx, collection, input.collection);
      const upload = { action, rows: input.rows(reading), assertAllowed };
      if (input.dry_run) return indexes.dryRun(collection, upload, signal);
      const act = actOn('documents.import', collection, { action });
      const opened = await indexes.imports.open(collection, { key, action, reading, signal }, (db) =>
        writeAuditEntry(db, entryOf(ctx, act.action, act)),
      );
      logAct(ctx, act.action, act);
      ctx.noteImport?.(opened.id);
      return indexes.import(collection, { ...upload, opened }, signal);
    }),

  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents',
        summary: 'List documents',
        output: documentPageShape,
      },
    })
    .input(documentList)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.list(
        await getKnownCollection(ctx, input.collection),
        {
          page: input.page,
          perPage: input.per_page,
          filterBy: input.filter_by,
          sortBy: input.sort_by,
          includeFields: input.include_fields,
          excludeFields: input.exclude_fields,
          answerBytesMax: ctx.request.answerBytesMax,
        },
        ctx.request.signal,
      ),
    ),

  /** For the console's map. */
  map: keyProcedure('read')
    .input(documentMapInput)
    .query(async ({ ctx, input }) => {
      const collection = await getKnownCollection(ctx, input.collection);
      return toDocumentMap(await ctx.deps.indexes.read(collection, sampleFor(input), ctx.request.signal));
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Get a document',
        example: { collection: 'films', id: 'Blade_Runner|1982' },
        output: documentShape,
      },
    })
    .input(documentGet)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.get(
        await getKnownCollection(ctx, input.collection),
        {
          id: input.id,
          withEmbedding: input.include_embedding ?? false,
          answerBytesMax: ctx.request.answerBytesMax,
        },
        ctx.request.signal,
      ),
    ),

  getVersion: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/{docId:id}/version',
        summary: 'Get a document with its version, for a replacement that must not undo another change',
        example: { collection: 'films', id: 'Blade_Runner|1982' },
        output: documentVersionShape,
      },
    })
    .input(documentRef)
    .query(async ({ ctx, input }) =>
      ctx.deps.indexes.getVersion(await getKnownCollection(ctx, input.collection), {
        id: input.id,
        answerBytesMax: ctx.request.answerBytesMax,
      }),
    ),

  replace: keyProcedure('write')
    .meta({
      rest: {
        at: 'PUT /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Replace or create a document',
        example: { collection: 'films', id: 'example', document: { title: 'Solaris', year: 1972 } },
        query: ['if_version'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        answer: 'written',
        output: documentShape,
      },
    })
    .input(documentReplace)
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const document = withId(input.id, input.document);
      const { if_version: ifVersion } = input;
      const write = { action: 'upsert', document, ifVersion, holdAnswer: ctx.held.answer.add } as const;
      return ctx.deps.indexes.write(collection, write, ctx.request.signal);
    }),

  merge: keyProcedure('write')
    .meta({
      rest: {
        at: 'PATCH /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Change some fields of a document',
        example: { collection: 'films', id: 'example', document: { year: 1971 } },
        body: 'document',
        bodyLimits: bodyLimits.document,
        output: documentShape,
      },
    })
    .input(documentMerge)
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const document = withId(input.id, input.document);
      const write = { action: 'update', document, holdAnswer: ctx.held.answer.add } as const;
      return (await ctx.deps.indexes.write(collection, write, ctx.request.signal)).document;
    }),

  delete: keyProcedure('write')
    .meta({
      rest: {
        at: 'DELETE /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Delete a document',
        example: { collection: 'films', id: 'example' },
        output: documentShape,
      },
    })
    .input(documentRef)
    .mutation(async ({ ctx, input }) => {
      const collection = await getActiveCollection(ctx, input.collection);
      return ctx.deps.indexes.delete(collection, input.id, ctx.held.answer.add);
    }),

  deleteMany: keyProcedure('write')
    .meta({
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

  /** Lines of JSON, pulled at the reader's pace. Not for HTTP tRPC, which cannot carry it. */
  export: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/export',
        summary: 'Export documents as NDJSON',
        stream: 'export',
      },
    })
    .input(documentExport)
    .query(async ({ ctx, input }) => {
      const collection = await getKnownCollection(ctx, input.collection);
      const assertAllowed = stillAllowed(ctx, collection, input.collection);
      const { filter_by = null } = input;
      const act = actOn('documents.export', collection, { filter_by });
      const note = () => auditBefore(ctx, act, reserveOf(collection, 0));
      const { include_fields: includeFields, exclude_fields: excludeFields } = input;
      const exported = { filterBy: input.filter_by, includeFields, excludeFields };
      const lines = ctx.deps.indexes.export(collection, exported, ctx.request.signal);
      return whileAllowed(auditedBefore(lines, note), assertAllowed);
    }),
});
