import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { bodyReading } from '#server/admission/request-memory.ts';
import type { Database } from '#server/db/client.ts';
import { synonyms } from '#server/db/schema/rules.ts';
import { notFound } from '#server/errors.ts';
import { collectionRef } from '#shared/collections.ts';
import { importSummaryShape } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import {
  type Synonym,
  synonymList,
  synonymRef,
  synonymRow,
  synonymShape,
  synonymsShape,
  synonymWrite,
} from '#shared/synonyms.ts';
import { readPage } from '../read-page.ts';
import { rowsInput } from '../rows-input.ts';
import { assertRoomForRules, bytesOfRule, getToRule, inOrder, ruleAct, ruleOf } from '../rules.ts';
import { type CollectionRow, getCollection } from '../scope.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';
import { readUploaded } from '../uploaded-rows.ts';

const toSynonym = ({ id, members, root }: Pick<typeof synonyms.$inferSelect, 'id' | 'members' | 'root'>) => ({
  id,
  synonyms: members,
  root,
});

const shown = { id: synonyms.id, members: synonyms.members, root: synonyms.root };
const most = { table: synonyms, most: limits.synonymsMax, called: 'synonyms' };
const uploaded = {
  called: 'synonyms',
  most: limits.synonymsMax,
  schema: synonymRow,
  toThing: ({
    id = crypto.randomUUID(),
    synonyms: members,
    root = null,
  }: z.output<typeof synonymRow>): Synonym => ({
    id,
    synonyms: members,
    root,
  }),
  keyOf: ({ id }: Synonym) => id,
  idOf: ({ id }: Synonym) => id,
};
const rowsAtOnce = 1_000;

/** Those that have the ids of others take their places. */
async function put(db: Database, { id: collectionId }: CollectionRow, given: Synonym[]): Promise<void> {
  for (let from = 0; from < given.length; from += rowsAtOnce) {
    const values = given.slice(from, from + rowsAtOnce).map((synonym) => {
      const { id, synonyms: members, root } = synonym;
      return { collectionId, id, members, root, bytes: bytesOfRule(synonym) };
    });
    const set = { members: sql`excluded.members`, root: sql`excluded.root`, bytes: sql`excluded.bytes` };
    await db
      .insert(synonyms)
      .values(values)
      .onConflictDoUpdate({ target: [synonyms.collectionId, synonyms.id], set });
  }
}

export const synonymsRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/synonyms',
        summary: 'List synonyms',
        description: 'In the order of their ids.',
        playground: 'Synonyms',
        answer: 'page',
        output: synonymsShape,
      },
    })
    .input(synonymList)
    .query(async ({ ctx, input }) => {
      const { id } = await getCollection(ctx, input.collection);
      const rows = (narrow?: SQL) =>
        ctx.db
          .select(shown)
          .from(synonyms)
          .where(and(eq(synonyms.collectionId, id), narrow))
          .orderBy(inOrder(synonyms));
      const page = await readPage(ctx, input, { id: synonyms.id, rows });
      return { synonyms: page.map(toSynonym) };
    }),

  get: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/collections/{name:collection}/synonyms/{synonymId:id}',
        summary: 'Get a synonym',
        description: 'Its words, and its root where it has one.',
        playground: 'Synonyms',
        example: { collection: 'films', id: 'robot' },
        output: synonymShape,
      },
    })
    .input(synonymRef)
    .query(async ({ ctx, input }) => {
      const collection = await getCollection(ctx, input.collection);
      const [found] = await ctx.db
        .select(shown)
        .from(synonyms)
        .where(ruleOf(synonyms, collection, input.id));
      if (!found) throw notFound('Synonym');
      return toSynonym(found);
    }),

  upsert: keyProcedure('write')
    .meta({
      act: 'Synonym saved',
      rest: {
        at: 'POST /api/collections/{name:collection}/synonyms',
        summary: 'Add a synonym, or replace the one with its id',
        description:
          'Without a root each word finds all; with one, a query with the root finds the words too. The next search knows it.',
        playground: 'Synonyms',
        example: { collection: 'films', id: 'robot', synonyms: ['android', 'mechanical man'], root: 'robot' },
        answer: 'created',
        output: synonymShape,
      },
    })
    .input(synonymWrite)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { collection: reference, ...given } }) => {
      const collection = await getToRule(ctx, reference);
      const after: Synonym = { ...given, id: given.id ?? crypto.randomUUID(), root: given.root ?? null };
      const [before] = await ctx.db
        .select(shown)
        .from(synonyms)
        .where(ruleOf(synonyms, collection, after.id));
      await put(ctx.db, collection, [after]);
      await assertRoomForRules(ctx.db, collection, most);
      ctx.audit(ruleAct(collection, { before: before ? toSynonym(before) : null, after }));
      return { id: after.id, synonyms: after.synonyms, root: after.root };
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Synonym deleted',
      rest: {
        at: 'DELETE /api/collections/{name:collection}/synonyms/{synonymId:id}',
        summary: 'Delete a synonym',
        description: 'It answers the synonym as it was.',
        playground: 'Synonyms',
        example: { collection: 'films', id: 'robot' },
        output: synonymShape,
      },
    })
    .input(synonymRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const collection = await getToRule(ctx, input.collection);
      const [deleted] = await ctx.db
        .delete(synonyms)
        .where(ruleOf(synonyms, collection, input.id))
        .returning(shown);
      if (!deleted) throw notFound('Synonym');
      const before = toSynonym(deleted);
      ctx.audit(ruleAct(collection, { before }));
      return before;
    }),

  /** All good rows in one transaction, which begins when the upload has come. Yields a result a row. */
  import: keyProcedure('write')
    .meta({
      act: 'Synonyms imported',
      rest: {
        at: 'POST /api/collections/{name:collection}/synonyms/import',
        summary: 'Add or replace many synonyms: a JSON array or NDJSON',
        stream: 'import',
        output: importSummaryShape,
      },
    })
    .input(collectionRef.extend({ rows: rowsInput('synonyms') }))
    .use(async ({ ctx, input, next }) => {
      await getCollection(ctx, input.collection);
      return next({
        ctx: { read: await readUploaded(input.rows({}), uploaded, bodyReading(ctx.held, ctx.requester)) },
      });
    })
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const collection = await getToRule(ctx, input.collection);
      const { things: given, results } = ctx.read;
      await put(ctx.db, collection, given);
      await assertRoomForRules(ctx.db, collection, most);
      ctx.audit(ruleAct(collection, { after: { synonyms: given.length } }));
      return inTurn(results);
    }),
});

async function* inTurn<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}
