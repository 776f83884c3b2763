import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { imports } from '#server/db/schema/imports.ts';
import { notFound } from '#server/errors.ts';
import { importColumns } from '#server/indexes/imports/import-columns.ts';
import { importList, importRef, importShape } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import { entryOf, logAct } from '../act.ts';
import { getKnownCollection } from '../known-collections.ts';
import { readPage } from '../read-page.ts';
import type { CallerContext } from '../scope.ts';
import { keyProcedure, router } from '../trpc.ts';

/** The newest first; what is older than a day may be gone at any moment. */
function selectImports({ db }: Pick<CallerContext, 'db'>, where: SQL | undefined) {
  const isYoung = sql`${imports.updatedAt} > now() - make_interval(hours => ${limits.importsKeptHours})`;
  return db.select(importColumns).from(imports).where(and(where, isYoung)).orderBy(desc(imports.id));
}

/** How far imports are, under way or of the last day. */
export const importsRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/import',
        summary: 'List the latest imports',
        answer: 'page',
        output: z.array(importShape),
      },
    })
    .input(importList)
    .query(async ({ ctx, input }) => {
      const { id } = await getKnownCollection(ctx, input.collection);
      const { idempotency_key: key } = input;
      const ofKey = key === undefined ? undefined : eq(imports.key, key);
      const ofCollection = and(eq(imports.collectionId, id), ofKey);
      const rows = (narrow?: SQL) => selectImports(ctx, and(ofCollection, narrow));
      return (await readPage(ctx, input, { id: imports.id, rows })).map((row) =>
        ctx.deps.indexes.imports.toImport(row),
      );
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/import/{id}',
        summary: 'Get how far an import is',
        output: importShape,
      },
    })
    .input(importRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getKnownCollection(ctx, input.collection);
      const [row] = await selectImports(ctx, and(eq(imports.collectionId, id), eq(imports.id, input.id)));
      if (!row) throw notFound('Import');
      return ctx.deps.indexes.imports.toImport(row);
    }),

  /** What is in stays in. */
  cancel: keyProcedure('write')
    .meta({
      act: 'Import cancelled',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/documents/import/{id}',
        summary: 'Stop an import; what is in stays in',
        output: importShape,
      },
    })
    .input(importRef)
    .mutation(async ({ ctx, input }) => {
      const collection = await getKnownCollection(ctx, input.collection);
      const { id, name, workspaceId } = collection;
      const target = { kind: 'collection', id, name } as const;
      const act = { action: 'imports.cancel', workspaceId, target, after: { importId: input.id } };
      const canceled = await ctx.deps.indexes.imports.cancel(collection, input.id, (db) =>
        writeAuditEntry(db, entryOf(ctx, act.action, act)),
      );
      logAct(ctx, act.action, act);
      return canceled;
    }),
});
