import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { ReadDatabase } from '#server/db/client.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { type AuditEntry, auditEntryList, auditEntryShape, auditEntryTotal } from '#shared/audit-entries.ts';
import { limits } from '#shared/limits.ts';
import { readPage } from '../read-page.ts';
import { getWorkspace, type MemberContext } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

function toAuditEntry(row: typeof auditEntries.$inferSelect): AuditEntry {
  const { actorKind, actorId, actorName, targetKind, targetId, targetName, createdAt, ...same } = row;
  return {
    ...same,
    createdAt: createdAt.toISOString(),
    actor: { kind: actorKind, id: actorId, name: actorName },
    target: targetKind && { kind: targetKind, id: targetId, name: targetName },
  };
}

/** By what no index knows. */
function chosenBy({ action, outcome, actorKind, actorId }: Chosen): SQL | undefined {
  return and(
    action === undefined ? undefined : eq(auditEntries.action, action),
    outcome === undefined ? undefined : eq(auditEntries.outcome, outcome),
    actorKind === undefined ? undefined : eq(auditEntries.actorKind, actorKind),
    actorId === undefined ? undefined : eq(auditEntries.actorId, actorId),
  );
}

type Chosen = Pick<z.output<typeof auditEntryList>, 'action' | 'outcome' | 'actorKind' | 'actorId'>;

/**
 * When the oldest entry was that is looked at; null: all are. Each is looked at, so no more than can be paged are. Who wants older ones
 * says until when.
 */
async function findOldestLookedAt(db: ReadDatabase, within: SQL | undefined): Promise<Date | null> {
  const [oldest] = await db
    .select({ createdAt: auditEntries.createdAt })
    .from(auditEntries)
    .where(within)
    .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
    .offset(limits.pagedRowsMax)
    .limit(1);
  return oldest?.createdAt ?? null;
}

/** Those that are asked for, to be read by the page. @throws AppError NOT_FOUND, FORBIDDEN (role) */
async function selectEntries(ctx: MemberContext, input: z.output<typeof auditEntryTotal>) {
  const { id } = await getWorkspace(ctx, input.workspaceId);
  const { since, until } = input;
  const within = and(
    eq(auditEntries.workspaceId, id),
    since === undefined ? undefined : gte(auditEntries.createdAt, new Date(since)),
    until === undefined ? undefined : lt(auditEntries.createdAt, new Date(until)),
  );
  const chosen = chosenBy(input);
  const oldest = chosen ? await findOldestLookedAt(ctx.db, within) : null;
  const reach = oldest === null ? undefined : gte(auditEntries.createdAt, oldest);
  const rows = (narrow?: SQL) =>
    ctx.db
      .select()
      .from(auditEntries)
      .where(and(within, reach, chosen, narrow))
      .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id));
  return { id: auditEntries.id, rows, isCut: oldest !== null };
}

export const auditEntriesRouter = router({
  /** Denials are in it some seconds later. */
  list: memberProcedure('owner')
    .meta({
      rest: {
        at: 'GET /api/audit-entries',
        summary: 'Who did what in a workspace',
        answer: 'page',
        output: z.array(auditEntryShape),
      },
    })
    .input(auditEntryList)
    .query(async ({ ctx, input }) => {
      const page = await readPage(ctx, input, await selectEntries(ctx, input));
      return page.map(toAuditEntry);
    }),

  /** What REST says in the head of the list. */
  total: memberProcedure('owner')
    .input(auditEntryTotal)
    .query(async ({ ctx, input }) => {
      let told = { total: 0, isMore: false };
      const noteTotal = (total: number, isMore: boolean) => {
        told = { total, isMore };
      };
      await readPage({ ...ctx, noteTotal }, { page: 1, per_page: 1 }, await selectEntries(ctx, input));
      return told;
    }),
});
