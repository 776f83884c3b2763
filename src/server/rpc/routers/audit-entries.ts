import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { type AuditEntry, auditEntryList } from '#shared/audit-entries.ts';
import { readPage } from '../read-page.ts';
import { getWorkspace } from '../scope.ts';
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

export const auditEntriesRouter = router({
  /** Denials are in it some seconds later. */
  list: memberProcedure('owner')
    .meta({ rest: { at: 'GET /api/audit-entries', summary: 'Who did what in a workspace', answer: 'page' } })
    .input(auditEntryList)
    .query(async ({ ctx, input }) => {
      const { id } = await getWorkspace(ctx, input.workspaceId);
      const { action, outcome, actorKind, actorId, since, until } = input;
      const which = and(
        eq(auditEntries.workspaceId, id),
        action === undefined ? undefined : eq(auditEntries.action, action),
        outcome === undefined ? undefined : eq(auditEntries.outcome, outcome),
        actorKind === undefined ? undefined : eq(auditEntries.actorKind, actorKind),
        actorId === undefined ? undefined : eq(auditEntries.actorId, actorId),
        since === undefined ? undefined : gte(auditEntries.createdAt, new Date(since)),
        until === undefined ? undefined : lt(auditEntries.createdAt, new Date(until)),
      );
      const rows = (narrow?: SQL) =>
        ctx.db.select().from(auditEntries).where(and(which, narrow)).orderBy(desc(auditEntries.id));
      return (await readPage(ctx, input, { id: auditEntries.id, rows })).map(toAuditEntry);
    }),
});
