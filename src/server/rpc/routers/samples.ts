import { and, eq } from 'drizzle-orm';
import { writeAuditEntry } from '#server/audit/write-audit-entry.ts';
import { collections } from '#server/db/schema/collections.ts';
import { imports } from '#server/db/schema/imports.ts';
import { importColumns } from '#server/indexes/imports/import-columns.ts';
import { type Collection, collectionShape } from '#shared/collections.ts';
import type { Import } from '#shared/documents.ts';
import { sampleSets } from '#shared/sample-sets.ts';
import { sampleLoad } from '#shared/samples.ts';
import { entryOf, logAct } from '../act.ts';
import { getWritableCollection } from '../known-collections.ts';
import { type PlacedSample, placeSample } from '../place-sample.ts';
import type { MemberContext } from '../scope.ts';
import { stillAllowed } from '../still-allowed.ts';
import { toEntity } from '../to-entity.ts';
import { memberProcedure, router } from '../trpc.ts';

/** Something to search before there are documents of one's own. */
export const samplesRouter = router({
  /**
   * Makes the collection of a sample and answers once its documents are in. It goes on when its caller hangs up, and is seen and cancelled
   * as any other import.
   */
  load: memberProcedure('editor')
    .meta({ act: 'Sample loaded' })
    .input(sampleLoad)
    .mutation(async ({ ctx, input }): Promise<{ collection: Collection; import: Import | null }> => {
      const actOn = ({ collection: { id, name }, workspaceId, isNew }: PlacedSample) => {
        const target = { kind: 'collection', id, name } as const;
        return { action: 'samples.load', workspaceId, target, after: { sample: input.sample, isNew } };
      };
      const placed = await ctx.deps.record.write(async (db) => {
        const found = await placeSample({ ...ctx, db }, input);
        const act = actOn(found);
        await writeAuditEntry(db, entryOf(ctx, act.action, act));
        return found;
      });
      const act = actOn(placed);
      logAct(ctx, act.action, act);
      const { id, documentCount } = placed.collection;
      if (documentCount >= sampleSets[input.sample].documents)
        return { ...(await reread(ctx, id)), import: null };

      const reference = String(id);
      const collection = await getWritableCollection(ctx, reference);
      const importId = await ctx.deps.samples.load(collection, {
        sample: input.sample,
        assertAllowed: stillAllowed({ ...ctx, permission: 'write' }, collection, reference),
      });
      return { ...(await reread(ctx, id)), import: await importOf(ctx, id, importId) };
    }),
});

/** As it is now, with its documents counted. */
async function reread({ deps }: MemberContext, id: number): Promise<{ collection: Collection }> {
  const [row] = await deps.record.db.select().from(collections).where(eq(collections.id, id));
  if (!row) throw new Error('the collection of a sample is gone');
  return { collection: toEntity(collectionShape, row) };
}

async function importOf({ deps }: MemberContext, collectionId: number, id: number): Promise<Import | null> {
  const own = and(eq(imports.collectionId, collectionId), eq(imports.id, id));
  const [row] = await deps.record.db.select(importColumns).from(imports).where(own);
  return row ? deps.indexes.imports.toImport(row) : null;
}
