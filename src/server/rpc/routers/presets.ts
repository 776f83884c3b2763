import { and, eq, type SQL } from 'drizzle-orm';
import { presets } from '#server/db/schema/rules.ts';
import { badRequest, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  type Preset,
  presetList,
  presetRef,
  presetShape,
  presetsShape,
  presetWrite,
} from '#shared/presets.ts';
import { readPage } from '../read-page.ts';
import {
  assertFits,
  assertRoomForRules,
  bytesOfRule,
  getToRule,
  inOrder,
  ruleAct,
  ruleOf,
} from '../rules.ts';
import { getCollection } from '../scope.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';

const shown = { name: presets.id, parameters: presets.parameters };
const most = { table: presets, most: limits.presetsMax, called: 'presets' };

export const presetsRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/presets',
        summary: 'List presets',
        answer: 'page',
        output: presetsShape,
      },
    })
    .input(presetList)
    .query(async ({ ctx, input }) => {
      const { id } = await getCollection(ctx, input.collection);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select(shown)
          .from(presets)
          .where(and(eq(presets.collectionId, id), narrow))
          .orderBy(inOrder(presets));
      const page: Preset[] = await readPage(ctx, input, { id: presets.id, rows });
      return { presets: page };
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/presets/{preset}',
        summary: 'Get a preset',
        example: { collection: 'films', preset: 'recent' },
        output: presetShape,
      },
    })
    .input(presetRef)
    .query(async ({ ctx, input }): Promise<Preset> => {
      const collection = await getCollection(ctx, input.collection);
      const [found] = await ctx.db
        .select(shown)
        .from(presets)
        .where(ruleOf(presets, collection, input.preset));
      if (!found) throw notFound('Preset');
      return found;
    }),

  put: keyProcedure('write')
    .meta({
      act: 'Preset saved',
      rest: {
        at: 'PUT /api/collections/{name:collection}/presets/{preset}',
        summary: 'Save search parameters under a name',
        example: { collection: 'films', preset: 'recent', parameters: { sort_by: 'year:desc', per_page: 5 } },
        output: presetShape,
      },
    })
    .input(presetWrite)
    .use(async ({ ctx, input, next }) => {
      await assertFits(ctx, input.collection, input.parameters);
      return next();
    })
    .use(inTransaction)
    .mutation(
      async ({ ctx, input: { collection: reference, preset: name, parameters } }): Promise<Preset> => {
        const after: Preset = { name, parameters };
        const own = { parameters, bytes: bytesOfRule(after) };
        if (own.bytes > limits.presetBytesMax)
          throw badRequest('parameters', `must be at most ${limits.presetBytesMax / 1024} KB as JSON`);
        const collection = await getToRule(ctx, reference);
        const [before] = await ctx.db
          .select(shown)
          .from(presets)
          .where(ruleOf(presets, collection, name));
        await ctx.db
          .insert(presets)
          .values({ collectionId: collection.id, id: name, ...own })
          .onConflictDoUpdate({ target: [presets.collectionId, presets.id], set: own });
        await assertRoomForRules(ctx.db, collection, most);
        ctx.audit(ruleAct(collection, { before: before ?? null, after }));
        return after;
      },
    ),

  delete: keyProcedure('write')
    .meta({
      act: 'Preset deleted',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/presets/{preset}',
        summary: 'Delete a preset',
        example: { collection: 'films', preset: 'recent' },
        output: presetShape,
      },
    })
    .input(presetRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }): Promise<Preset> => {
      const collection = await getToRule(ctx, input.collection);
      const [deleted] = await ctx.db
        .delete(presets)
        .where(ruleOf(presets, collection, input.preset))
        .returning(shown);
      if (!deleted) throw notFound('Preset');
      ctx.audit(ruleAct(collection, { before: deleted }));
      return deleted;
    }),
});
