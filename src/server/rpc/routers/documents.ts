import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { bodyLimits } from '#server/wire/body-limits.ts';
import { documentMapInput } from '#shared/document-map.ts';
import {
  documentExport,
  documentGet,
  documentImport,
  documentList,
  documentMerge,
  documentPageShape,
  documentRef,
  documentReplace,
  documentShape,
  documentVersionShape,
  documentWrite,
  ifMatch,
  importKey,
  importSummaryShape,
} from '#shared/documents.ts';
import { auditedBefore, auditRepeated, entryOf, logAct } from '../act.ts';
import { actOn, reserveOf, withId } from '../document-changes.ts';
import { documentsByFilter } from '../documents-by-filter.ts';
import { exampleDocument, exampleRows } from '../example-documents.ts';
import { getActiveCollection, getKnownCollection, getWritableCollection } from '../known-collections.ts';
import { readDocumentMap } from '../read-document-map.ts';
import { rowsInput } from '../rows-input.ts';
import { stillAllowed, whileAllowed } from '../still-allowed.ts';
import { keyProcedure, router } from '../trpc.ts';

export const documentsRouter = router({
  write: keyProcedure('write')
    .meta({
      rest: {
        at: 'POST /api/collections/{name:collection}/documents',
        summary: 'Add a document',
        description: 'Any JSON object. One with the same id is replaced; without an id it is given one.',
        example: { collection: 'films', document: exampleDocument },
        playground: 'Documents',
        query: ['action'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        answer: 'written',
        isTagged: true,
        output: documentShape,
      },
    })
    .input(documentWrite)
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const { action, document } = input;
      const holdAnswer = ctx.held.answer.add;
      ctx.noteTagged?.();
      return ctx.deps.indexes.write(collection, { action, document, holdAnswer }, ctx.request.signal);
    }),

  /** Yields a result a row, each already durable; of a dry run, each as it would be. */
  import: keyProcedure('write')
    .meta({
      act: 'Documents imported',
      rest: {
        at: 'POST /api/collections/{name:collection}/documents/import',
        summary: 'Add many documents: a JSON array, NDJSON, CSV or TSV, of any size',
        description:
          'Each row has its own result; those that are good are in, whatever becomes of the others.',
        exampleRows,
        playground: 'Documents',
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
    .query(async ({ ctx, input }) =>
      readDocumentMap(ctx, await getKnownCollection(ctx, input.collection), input),
    ),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Get a document',
        description: 'As it was written.',
        example: { collection: 'films', id: 'Blade_Runner|1982' },
        playground: 'Documents',
        isTagged: true,
        output: documentShape,
      },
    })
    .input(documentGet)
    .query(async ({ ctx, input }) => {
      const collection = await getKnownCollection(ctx, input.collection);
      const withEmbedding = input.include_embedding ?? false;
      // Its vector is no part of it.
      if (!withEmbedding) ctx.noteTagged?.();
      const { answerBytesMax, signal } = ctx.request;
      return ctx.deps.indexes.get(collection, { id: input.id, withEmbedding, answerBytesMax }, signal);
    }),

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
        description: 'All of its fields are what is sent.',
        example: { collection: 'films', id: 'example', document: { title: 'Solaris', year: 1972 } },
        playground: 'Documents',
        query: ['if_version'],
        headers: ['if_match'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        answer: 'written',
        isTagged: true,
        output: documentShape,
      },
    })
    .input(documentReplace.extend(ifMatch.shape))
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const document = withId(input.id, input.document);
      const { if_version: ifVersion, if_match } = input;
      const condition = { ifVersion, ifMatch: if_match };
      const write = { action: 'upsert', document, ...condition, holdAnswer: ctx.held.answer.add } as const;
      ctx.noteTagged?.();
      return ctx.deps.indexes.write(collection, write, ctx.request.signal);
    }),

  merge: keyProcedure('write')
    .meta({
      rest: {
        at: 'PATCH /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Change some fields of a document',
        example: { collection: 'films', id: 'example', document: { year: 1971 } },
        headers: ['if_match'],
        body: 'document',
        bodyLimits: bodyLimits.document,
        isTagged: true,
        output: documentShape,
      },
    })
    .input(documentMerge.extend(ifMatch.shape))
    .mutation(async ({ ctx, input }) => {
      const collection = await getWritableCollection(ctx, input.collection);
      const document = withId(input.id, input.document);
      const condition = { ifMatch: input.if_match };
      const write = { action: 'update', document, ...condition, holdAnswer: ctx.held.answer.add } as const;
      ctx.noteTagged?.();
      return (await ctx.deps.indexes.write(collection, write, ctx.request.signal)).document;
    }),

  delete: keyProcedure('write')
    .meta({
      rest: {
        at: 'DELETE /api/collections/{name:collection}/documents/{docId:id}',
        summary: 'Delete a document',
        description: 'It answers the document as it was.',
        example: { collection: 'films', id: 'example' },
        playground: 'Documents',
        output: documentShape,
      },
    })
    .input(documentRef)
    .mutation(async ({ ctx, input }) => {
      const collection = await getActiveCollection(ctx, input.collection);
      return ctx.deps.indexes.delete(collection, input.id, ctx.held.answer.add);
    }),

  ...documentsByFilter,

  /** Lines of JSON, pulled at the reader's pace. Not for HTTP tRPC, which cannot carry it. */
  export: keyProcedure('read')
    .meta({
      act: 'Documents exported',
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
      const note = () => auditRepeated(ctx, act, reserveOf(collection, 0));
      const { include_fields: includeFields, exclude_fields: excludeFields } = input;
      const exported = { filterBy: input.filter_by, includeFields, excludeFields };
      const lines = ctx.deps.indexes.export(collection, exported, ctx.request.signal);
      return whileAllowed(auditedBefore(lines, note), assertAllowed);
    }),
});
