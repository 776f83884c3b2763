import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { auditActors, auditOutcomes, auditTargets } from '#shared/audit-names.ts';
import { id, moment, reference } from './columns.ts';

/**
 * Administrative acts and denials. Nothing here refers to another table: an entry outlives its actor, its target and its workspace, and
 * holds their names as they were.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    createdAt: moment().notNull(),
    /** The procedure, or the check that refused: `apiKeys.create`, `auth.key`. */
    action: text().notNull(),
    outcome: text({ enum: auditOutcomes }).notNull(),
    /** How many like denials within some seconds, or like exports within a minute, this entry stands for. */
    times: integer().notNull(),
    actorKind: text({ enum: auditActors }).notNull(),
    actorId: reference(),
    actorName: text(),
    /** Null: an act on an account, or of nobody who is known. */
    workspaceId: reference(),
    targetKind: text({ enum: auditTargets }),
    targetId: reference(),
    targetName: text(),
    /** What was changed, as it was and as it is; never a secret. */
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    /** Null for an operator's. */
    address: text(),
    userAgent: text(),
    requestId: text(),
  },
  (table) => [
    // In the order of the list, so that a part of its time is found at once.
    index('audit_entries_workspace_time').on(table.workspaceId, table.createdAt, table.id),
    index('audit_entries_created').on(table.createdAt),
    // An account's own, by who acted and by whose account it was.
    index('audit_entries_account_actor')
      .on(table.actorId, table.createdAt, table.id)
      .where(sql`workspace_id is null and actor_kind = 'user'`),
    index('audit_entries_account_target')
      .on(table.targetId, table.createdAt, table.id)
      .where(sql`workspace_id is null and target_kind = 'account'`),
  ],
);
