import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '#server/db/client.ts';
import { collections } from '#server/db/schema/collections.ts';
import { overrides, presets, searchSettings, synonyms } from '#server/db/schema/rules.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { Act } from './act.ts';
import type { Context } from './context.ts';
import { getKnownCollection } from './known-collections.ts';
import { type CallerContext, type CollectionRow, getCollection, type Writing } from './scope.ts';

/** Rules of a collection by the caller's ids. */
export type RuleTable = PgTable & { collectionId: PgColumn; id: PgColumn; bytes: PgColumn };

/**
 * The collection whose rules are about to change. It is locked until the transaction ends, so that changes come one after the other, and
 * says that servers must read its rules anew.
 * @throws AppError NOT_FOUND, FORBIDDEN (role)
 */
export async function getToRule(ctx: Writing, reference: string): Promise<CollectionRow> {
  const found = await getCollection(ctx, reference);
  const [locked] = await ctx.db
    .update(collections)
    .set({ rulesVersion: sql`${collections.rulesVersion} + 1` })
    .where(and(eq(collections.id, found.id), isNull(collections.deletedAt)))
    .returning({ id: collections.id });
  if (!locked) throw notFound('Collection');
  return found;
}

/**
 * Refuses parameters that the collection's documents do not fit. Asked before the transaction begins, which must not wait for the index.
 * @throws AppError BAD_REQUEST with field and position
 */
export async function assertFits(
  ctx: CallerContext & Pick<Context, 'request'>,
  reference: string,
  parameters: GivenParameters,
): Promise<void> {
  await ctx.deps.indexes.check(await getKnownCollection(ctx, reference), parameters, ctx.request.signal);
}

/** One rule of a collection. */
export function ruleOf(table: RuleTable, { id: collectionId }: Pick<CollectionRow, 'id'>, id: string) {
  return and(eq(table.collectionId, collectionId), eq(table.id, id));
}

/** In the order in which they are asked: by code point, whatever the database's language. */
export function inOrder(table: RuleTable) {
  return sql`${table.id} collate "C"`;
}

/** Of a rule as JSON, in UTF-8. */
export function bytesOfRule(rule: unknown): number {
  return Buffer.byteLength(JSON.stringify(rule));
}

/** Asked once all that a change adds is written. @throws AppError UNPROCESSABLE */
export async function assertRoomForRules(
  db: Database,
  { id }: Pick<CollectionRow, 'id'>,
  counted?: { table: RuleTable; most: number; called: string },
): Promise<void> {
  if (counted) {
    const { table, most, called } = counted;
    const count = await db.$count(table, eq(table.collectionId, id));
    if (count > most) throw new AppError('UNPROCESSABLE', `A collection has at most ${most} ${called}`);
  }
  const sums = [synonyms, overrides, presets, searchSettings].map(
    (table) =>
      sql`(select coalesce(sum(${table.bytes}), 0) from ${table} where ${table.collectionId} = ${id})`,
  );
  const [row] = await db.execute<{ bytes: string }>(sql`select (${sql.join(sums, sql` + `)})::text as bytes`);
  if (Number(row?.bytes) <= limits.rulesBytesMax) return;
  throw new AppError(
    'UNPROCESSABLE',
    `The synonyms, overrides, presets and settings of a collection have at most ${limits.rulesBytesMax / 1024} KB together, as JSON`,
  );
}

/** What the audit is told of a change. */
export function ruleAct(
  { id, name, workspaceId }: CollectionRow,
  { before = null, after = null }: { before?: object | null; after?: object | null },
): Act {
  return {
    workspaceId,
    target: { kind: 'collection', id, name },
    ...(before && { before: { ...before } }),
    ...(after && { after: { ...after } }),
  };
}
