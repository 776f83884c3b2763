import { and, eq, type SQL } from 'drizzle-orm';
import { overrides } from '#server/db/schema/rules.ts';
import { notFound } from '#server/errors.ts';
import { checkRule } from '#server/indexes/rules/check-rule.ts';
import { limits } from '#shared/limits.ts';
import {
  type Override,
  overrideList,
  overrideRef,
  overrideShape,
  overridesShape,
  overrideWrite,
} from '#shared/overrides.ts';
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

const shown = { id: overrides.id, definition: overrides.definition };
const most = { table: overrides, most: limits.overridesMax, called: 'overrides' };

const toOverride = ({
  id,
  definition,
}: Pick<typeof overrides.$inferSelect, 'id' | 'definition'>): Override => ({
  id,
  ...definition,
});

export const overridesRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/overrides',
        summary: 'List overrides',
        description: 'In the order of their ids.',
        playground: 'Overrides',
        answer: 'page',
        output: overridesShape,
      },
    })
    .input(overrideList)
    .query(async ({ ctx, input }) => {
      const { id } = await getCollection(ctx, input.collection);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select(shown)
          .from(overrides)
          .where(and(eq(overrides.collectionId, id), narrow))
          .orderBy(inOrder(overrides));
      const page = await readPage(ctx, input, { id: overrides.id, rows });
      return { overrides: page.map(toOverride) };
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/overrides/{overrideId:id}',
        summary: 'Get an override',
        description: 'Its rule, and what it does.',
        playground: 'Overrides',
        example: { collection: 'films', id: 'love' },
        output: overrideShape,
      },
    })
    .input(overrideRef)
    .query(async ({ ctx, input }) => {
      const collection = await getCollection(ctx, input.collection);
      const [found] = await ctx.db
        .select(shown)
        .from(overrides)
        .where(ruleOf(overrides, collection, input.id));
      if (!found) throw notFound('Override');
      return toOverride(found);
    }),

  upsert: keyProcedure('write')
    .meta({
      act: 'Override saved',
      rest: {
        at: 'POST /api/collections/{name:collection}/overrides',
        summary: 'Add an override, or replace the one with its id',
        description:
          'Where the rule matches the query as typed, it places, hides or filters hits. The next search knows it.',
        playground: 'Overrides',
        example: {
          collection: 'films',
          id: 'love',
          rule: { query: 'love', match: 'exact' },
          includes: [{ id: 'Casablanca_(film)|1942', position: 1 }],
          excludes: [{ id: 'When_Love_Grows_Cold|1926' }],
        },
        answer: 'created',
        output: overrideShape,
      },
    })
    .input(overrideWrite)
    .use(async ({ ctx, input: { collection, rule, filter_by, sort_by }, next }) => {
      checkRule(rule);
      await assertFits(ctx, collection, { filter_by, sort_by });
      return next();
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, id = crypto.randomUUID(), ...definition } }) => {
      const collection = await getToRule(ctx, reference);
      const after: Override = { id, ...definition };
      const [before] = await ctx.db
        .select(shown)
        .from(overrides)
        .where(ruleOf(overrides, collection, id));
      const own = { definition, bytes: bytesOfRule(after) };
      await ctx.db
        .insert(overrides)
        .values({ collectionId: collection.id, id, ...own })
        .onConflictDoUpdate({ target: [overrides.collectionId, overrides.id], set: own });
      await assertRoomForRules(ctx.db, collection, most);
      ctx.audit(ruleAct(collection, { before: before ? toOverride(before) : null, after }));
      return after;
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Override deleted',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/overrides/{overrideId:id}',
        summary: 'Delete an override',
        description: 'It answers the override as it was.',
        playground: 'Overrides',
        example: { collection: 'films', id: 'love' },
        output: overrideShape,
      },
    })
    .input(overrideRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const collection = await getToRule(ctx, input.collection);
      const [deleted] = await ctx.db
        .delete(overrides)
        .where(ruleOf(overrides, collection, input.id))
        .returning(shown);
      if (!deleted) throw notFound('Override');
      const before = toOverride(deleted);
      ctx.audit(ruleAct(collection, { before }));
      return before;
    }),
});
