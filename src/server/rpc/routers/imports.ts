import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { importList, importRef } from '#shared/documents.ts';
import { entryOf, logAct } from '../act.ts';
import { getKnownCollection } from '../known-collections.ts';
import { readPage } from '../read-page.ts';
import { keyProcedure, router } from '../trpc.ts';

/** How far imports are, under way or of the last day. */
export const importsRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/imports',
        summary: 'List the latest imports',
        answer: 'page',
      },
    })
    .input(importList)
    .query(async ({ ctx, input }) => {
      const { id } = await getKnownCollection(ctx, input.collection);
      const { imports } = ctx.deps.indexes;
      const rows = await readPage(ctx, input, imports.select(id, { key: input.idempotency_key }));
      return rows.map((row) => imports.toImport(row));
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/documents/import/{id}',
        summary: 'Get how far an import is',
      },
    })
    .input(importRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getKnownCollection(ctx, input.collection);
      return ctx.deps.indexes.imports.get(id, input.id);
    }),

  /** What is in stays in. */
  cancel: keyProcedure('write')
    .meta({
      rest: {
        at: 'DELETE /api/collections/{name:collection}/documents/import/{id}',
        summary: 'Stop an import; what is in stays in',
      },
    })
    .input(importRef)
    .mutation(async ({ ctx, input }) => {
      const { id, name, workspaceId } = await getKnownCollection(ctx, input.collection);
      const target = { kind: 'collection', id, name } as const;
      const act = { action: 'imports.cancel', workspaceId, target, after: { importId: input.id } };
      const canceled = await ctx.deps.indexes.imports.cancel(id, input.id, (db) =>
        writeAuditEntry(db, entryOf(ctx, act.action, act)),
      );
      logAct(ctx, act.action, act);
      return canceled;
    }),
});
